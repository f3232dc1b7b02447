package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kairo.api.sandbox.Secret;
import io.kairo.boot.PropertyBounds;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.ProcessLimits;
import io.kairo.sandbox.support.cache.CacheOptions;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.RequestRules;
import io.kairo.sandbox.support.proxy.UpstreamProxy;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * Creates the settings for the commands of all tenants, or of one, from the properties.
 *
 * @param stateDirectory the directory of the application; no command sees it
 * @param shutdownGrace the shutdown grace of sandboxes
 * @param nativeCalls whether the JVM may make system calls itself
 * @param caches creates the options of caches
 * @param rules supplies the rules for requests of commands
 * @param customizer customizes the settings
 */
record CommandSettingsFactory(Path stateDirectory, Duration shutdownGrace, boolean nativeCalls,
		Function<CacheProperties, CacheOptions> caches, Supplier<RequestRules> rules,
		Consumer<CommandSettings.Builder> customizer) {

	private static final PropertyBounds BOUNDS = new PropertyBounds(SandboxProperties.PREFIX);

	CommandSettings create(SandboxProperties properties) {
		DataSize tmpfsSize = properties.limits().tmpfsSize();
		CommandSettings sized = BOUNDS.parse("limits.tmpfs-size", tmpfsSize,
				() -> CommandSettings.DEFAULTS.with((settings) -> settings.tmpfsBytes(bytes(tmpfsSize))));
		return sized.with((settings) -> {
			settings.inheritEnv(properties.inheritEnv())
				.directory(this.stateDirectory.resolve("sandbox"))
				.hiddenPaths(List.of(this.stateDirectory))
				.shutdownGrace(this.shutdownGrace)
				.caches(caches(properties.caches()))
				.nativeCalls(this.nativeCalls)
				.limits(limits(properties));
			NetworkAccess network = properties.network();
			if (network == NetworkAccess.ALLOW_LIST) {
				settings.allowList(allowList(properties, this.rules.get()));
			}
			else if (network != null) {
				settings.network((network == NetworkAccess.HOST) ? Network.HOST : Network.NONE);
			}
			this.customizer.accept(settings);
		});
	}

	private @Nullable CacheOptions caches(CacheProperties properties) {
		return CacheProperties.BOUNDS.parse("names", properties.names(),
				() -> properties.names().isEmpty() ? null : this.caches.apply(properties));
	}

	private static CommandLimits limits(SandboxProperties properties) {
		SandboxLimitsProperties limits = properties.limits();
		ProcessLimits perProcess = perProcess(properties.processLimits());
		return BOUNDS.parse("limits", limits, () -> new CommandLimits(bytes(limits.memory()), limits.cpus(),
				limits.pids(), bytes(limits.fileSize()), perProcess));
	}

	private static ProcessLimits perProcess(ProcessLimitsProperties limits) {
		return BOUNDS.parse("process-limits", limits,
				() -> new ProcessLimits(bytes(limits.addressSpace()), limits.cpuTime(), limits.openFiles()));
	}

	private static @Nullable Long bytes(@Nullable DataSize size) {
		return (size != null) ? size.toBytes() : null;
	}

	static AllowList allowList(SandboxProperties properties, RequestRules rules) {
		return properties.allowList().withRules(rules).withUpstream(upstream(properties));
	}

	private static @Nullable UpstreamProxy upstream(SandboxProperties properties) {
		UpstreamProxyProperties proxy = properties.upstreamProxy();
		String authority = proxy.authority();
		if (authority == null) {
			return null;
		}
		UpstreamProxy created = BOUNDS.parse("upstream-proxy.url", proxy.url(), () -> UpstreamProxy.of(authority));
		UpstreamProxy complete = BOUNDS.parse("upstream-proxy.no-proxy", proxy.noProxy(),
				() -> created.withNoProxy(proxy.noProxy()));
		String username = proxy.username();
		String password = proxy.password();
		if (username == null || password == null) {
			return complete;
		}
		Set<String> revealing = CommandEnvironment.revealing(properties, Set.of(password));
		if (!revealing.isEmpty()) {
			throw BOUNDS.invalid("upstream-proxy", revealing,
					"commands would find the password in these environment variables: remove them from "
							+ "kairo.sandbox.inherit-env and kairo.sandbox.env");
		}
		// not the password itself: the value is printed
		Secret secret = BOUNDS.parse("upstream-proxy", "***", () -> Secret.of(password));
		return BOUNDS.parse("upstream-proxy.username", username, () -> complete.withCredentials(username, secret));
	}

}
