package io.kairo.autoconfigure.sandbox;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Where and within which bounds commands run.
 *
 * @param type which sandbox runs commands. A named one that does not work here is a
 * failure at start-up, never replaced by another.
 * @param timeout how long a command may take that asks for nothing else.
 * @param maxTimeout how long a command may take at most, whatever it asks for.
 * @param maxOutputBytes how much of the beginning of the output of a command is kept; on
 * disk beyond 256KB.
 * @param tailBytes how much of the end of the output is kept beyond max-output-bytes.
 * @param inheritEnv names of the environment variables of the application that commands
 * see; * stands for all.
 * @param network what commands reach over the network. Unset, the strongest that the
 * sandbox enforces; set, it is required.
 * @param networkAllow the hosts that commands reach with network allow-list, such as
 * example.org, *.example.org or example.org:8443; without a port 443 and 80 are meant.
 * @param requireIsolation whether to refuse to start without a sandbox that confines
 * commands.
 * @param limits what one command may take of the machine.
 * @param bubblewrap how commands run in bubblewrap.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.sandbox", ignoreUnknownFields = false)
public record SandboxProperties(@DefaultValue("auto") SandboxType type,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("120s") Duration timeout,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("600s") Duration maxTimeout,
		@DefaultValue("32MB") DataSize maxOutputBytes, @DefaultValue("1MB") DataSize tailBytes, @DefaultValue( {
				"PATH", "LANG", "HOME" }) List<String> inheritEnv,
		@Nullable NetworkAccess network, @DefaultValue({}) List<String> networkAllow,
		@DefaultValue("false") boolean requireIsolation,
		@NestedConfigurationProperty @DefaultValue SandboxLimitsProperties limits,
		@NestedConfigurationProperty @DefaultValue BubblewrapProperties bubblewrap){

	/**
	 * Creates the value.
	 * @param type which sandbox runs commands
	 * @param timeout how long a command may take, above zero
	 * @param maxTimeout how long it may take at most, not below {@code timeout}
	 * @param maxOutputBytes how much output is kept, above zero
	 * @param tailBytes how much of the end is kept beyond that, at least zero
	 * @param inheritEnv names of environment variables
	 * @param network what commands reach over the network, null for the strongest
	 * enforced
	 * @param networkAllow the hosts that commands reach with an allow-list
	 * @param requireIsolation whether commands must be confined
	 * @param limits what one command may take of the machine
	 * @param bubblewrap how commands run in bubblewrap
	 */
	public SandboxProperties {
		if (timeout.isNegative() || timeout.isZero()) {
			throw invalid("timeout", timeout, "it must be above zero, such as 120s");
		}
		if (maxTimeout.compareTo(timeout) < 0) {
			throw invalid("max-timeout", maxTimeout, "it must not be below kairo.sandbox.timeout, " + timeout);
		}
		if (maxOutputBytes.toBytes() <= 0) {
			throw invalid("max-output-bytes", maxOutputBytes, "it must be above zero, such as 32MB");
		}
		if (tailBytes.isNegative()) {
			throw invalid("tail-bytes", tailBytes, "it must be at least zero, such as 1MB");
		}
		for (String name : inheritEnv) {
			if (name.isBlank() || name.indexOf('=') >= 0) {
				throw invalid("inherit-env", inheritEnv, "'" + name + "' is no name of a variable");
			}
		}
		inheritEnv = List.copyOf(inheritEnv);
		networkAllow = List.copyOf(networkAllow);
		checkNetwork(network, networkAllow, bubblewrap);
	}

	private static void checkNetwork(@Nullable NetworkAccess network, List<String> networkAllow,
			BubblewrapProperties bubblewrap) {
		boolean list = network == NetworkAccess.ALLOW_LIST;
		if (list && networkAllow.isEmpty()) {
			throw invalid("network-allow", networkAllow,
					"it must name at least one host, since kairo.sandbox.network is allow-list");
		}
		if (!list && !networkAllow.isEmpty()) {
			throw invalid("network-allow", networkAllow,
					"it has an effect only with kairo.sandbox.network=allow-list; set that or remove the hosts");
		}
		if (list && bubblewrap.unixSockets()) {
			throw invalid("bubblewrap.unix-sockets", true,
					"a socket in the workspace leads around the list of kairo.sandbox.network-allow; set it to false");
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.sandbox." + name, value, reason);
	}

}
