package io.kairo.autoconfigure.sandbox;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.sandbox.backend.CommandSettings.Network;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;

/**
 * Configuration properties for the sandbox of one tenant. Each property that is not set
 * has the value of the property of this name below kairo.sandbox, as all other properties
 * there.
 *
 * @param type Type of the sandbox of this tenant; none to disable commands.
 * @param timeout Timeout of a command of the tool Bash, unless the call specifies one.
 * @param maxTimeout Upper bound for a requested timeout.
 * @param network Network access of commands, which the sandbox has to enforce.
 * @param networkAllow Hosts that commands can reach with network allow-list. With it or
 * network-allow-internal, neither list of all tenants applies.
 * @param networkAllowInternal Further hosts that commands can reach with network
 * allow-list although their addresses are not public.
 * @param limits Resource limits of each command.
 */
public record TenantSandboxProperties(@Nullable String type,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxTimeout, @Nullable NetworkAccess network,
		@DefaultValue( {
		}) List<String> networkAllow, @DefaultValue({}) List<String> networkAllowInternal,
		@NestedConfigurationProperty @DefaultValue SandboxLimitsProperties limits){

	/**
	 * Creates the properties.
	 */
	public TenantSandboxProperties {
		networkAllow = List.copyOf(networkAllow);
		networkAllowInternal = List.copyOf(networkAllowInternal);
	}

	/**
	 * Returns the properties of this tenant, validated.
	 */
	SandboxProperties over(SandboxProperties common, String tenant) {
		NetworkAccess network = (this.network != null) ? this.network : common.network();
		boolean list = network == NetworkAccess.ALLOW_LIST;
		boolean inherits = list && this.networkAllow.isEmpty() && this.networkAllowInternal.isEmpty();
		try {
			return new SandboxProperties(Objects.requireNonNullElse(this.type, common.type()), common.autoOrder(),
					Objects.requireNonNullElse(this.timeout, common.timeout()),
					Objects.requireNonNullElse(this.maxTimeout, common.maxTimeout()), common.maxOutputBytes(),
					common.tailBytes(), common.inheritEnv(), common.env(), common.gitIdentity(), network,
					inherits ? common.networkAllow() : this.networkAllow,
					inherits ? common.networkAllowInternal() : this.networkAllowInternal,
					list ? common.upstreamProxy() : UpstreamProxyProperties.NONE, common.requireIsolation(),
					this.limits.over(common.limits()), common.processLimits(), common.caches(), Map.of());
		}
		catch (InvalidConfigurationPropertyValueException ex) {
			String own = SandboxProperties.prefix(tenant);
			throw new InvalidConfigurationPropertyValueException(ex.getName().replace(SandboxProperties.PREFIX, own),
					ex.getValue(), String.valueOf(ex.getReason()).replace(SandboxProperties.PREFIX, own));
		}
	}

}
