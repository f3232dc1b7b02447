package io.kairo.autoconfigure.sandbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.Secret;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.ProcessLimits;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.RequestRules;
import io.kairo.sandbox.support.proxy.UpstreamProxy;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The configured sandboxes of one type. For use by one thread, at start-up and shutdown.
 *
 * @param <S> the class of the sandboxes
 */
abstract class SandboxesOfType<S extends ExecutionSandbox> {

	/**
	 * By their settings, so that a self-test, which takes a while, is not repeated.
	 */
	private final Map<Settings, S> sandboxes = new HashMap<>();

	/**
	 * Returns the sandbox with some settings.
	 */
	final S get(SandboxProperties properties) {
		return this.sandboxes.computeIfAbsent(Settings.of(properties), (settings) -> create(properties));
	}

	/**
	 * Returns the problem that prevents the use of the sandbox with some settings, after
	 * a self-test. Unless it may pass, the sandbox is closed.
	 * @return the problem, null if it can be used
	 */
	final @Nullable Problem problem(SandboxProperties properties) {
		Problem unsupported = unsupported(properties);
		if (unsupported != null) {
			return unsupported;
		}
		S sandbox = get(properties);
		Problem problem = test(sandbox);
		if (problem != null && !problem.passing()) {
			discard(properties);
		}
		return problem;
	}

	/**
	 * Closes the sandbox with some settings.
	 */
	final void discard(SandboxProperties properties) {
		S sandbox = this.sandboxes.remove(Settings.of(properties));
		if (sandbox != null) {
			close(sandbox);
		}
	}

	/**
	 * Closes all sandboxes.
	 */
	final void close() {
		this.sandboxes.values().forEach(this::close);
	}

	/**
	 * Creates a sandbox.
	 */
	protected abstract S create(SandboxProperties properties);

	/**
	 * Returns the problem that a setting is to such a sandbox on every machine.
	 * @return the problem, null if there is none, as by default
	 */
	protected @Nullable Problem unsupported(SandboxProperties properties) {
		return null;
	}

	/**
	 * Returns the problem that prevents the use of a sandbox, null if there is none.
	 */
	protected abstract @Nullable Problem test(S sandbox);

	/**
	 * Closes a sandbox.
	 */
	protected abstract void close(S sandbox);

	static CommandLimits limits(SandboxProperties properties) {
		SandboxLimitsProperties limits = properties.limits();
		ProcessLimits perProcess = perProcess(properties.processLimits());
		try {
			return new CommandLimits((limits.memory() != null) ? limits.memory().toBytes() : null, limits.cpus(),
					limits.pids(), (limits.fileSize() != null) ? limits.fileSize().toBytes() : null, perProcess);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("limits", limits, ex);
		}
	}

	private static ProcessLimits perProcess(ProcessLimitsProperties limits) {
		try {
			return new ProcessLimits((limits.addressSpace() != null) ? limits.addressSpace().toBytes() : null,
					limits.cpuTime(), limits.openFiles());
		}
		catch (IllegalArgumentException ex) {
			throw invalid("process-limits", limits, ex);
		}
	}

	/**
	 * Returns the hosts that commands may reach, without the rules for requests.
	 */
	static AllowList allowList(SandboxProperties properties) {
		List<String> hosts = properties.networkAllow();
		List<String> internal = properties.networkAllowInternal();
		if (internal.isEmpty() || !hosts.isEmpty()) {
			checked("network-allow", hosts, () -> AllowList.of(hosts));
		}
		AllowList list = checked("network-allow-internal", internal, () -> AllowList.of(hosts, internal));
		if (!list.unreachable().isEmpty()) {
			throw new InvalidConfigurationPropertyValueException(SandboxProperties.PREFIX + "network-allow",
					list.unreachable(),
					"it names this machine or an internal address, which it does not open: name the "
							+ "host with its port in kairo.sandbox.network-allow-internal instead");
		}
		return list;
	}

	static AllowList allowList(SandboxProperties properties, ObjectProvider<RequestRules> rules) {
		return allowList(properties).withRules(rules.getIfAvailable(() -> RequestRules.NONE))
			.withUpstream(upstream(properties));
	}

	private static @Nullable UpstreamProxy upstream(SandboxProperties properties) {
		UpstreamProxyProperties proxy = properties.upstreamProxy();
		String authority = proxy.authority();
		if (authority == null) {
			return null;
		}
		UpstreamProxy created = checked("upstream-proxy.url", proxy.url(), () -> UpstreamProxy.of(authority));
		UpstreamProxy complete = checked("upstream-proxy.no-proxy", proxy.noProxy(),
				() -> created.withNoProxy(proxy.noProxy()));
		String username = proxy.username();
		String password = proxy.password();
		if (username == null || password == null) {
			return complete;
		}
		Set<String> revealing = CommandEnvironment.revealing(properties, Set.of(password));
		if (!revealing.isEmpty()) {
			throw new InvalidConfigurationPropertyValueException(SandboxProperties.PREFIX + "upstream-proxy", revealing,
					"commands would find the password in these environment variables: remove them from "
							+ "kairo.sandbox.inherit-env and kairo.sandbox.env");
		}
		// not the password itself, whose value is printed
		Secret secret = checked("upstream-proxy", "***", () -> Secret.of(password));
		return checked("upstream-proxy.username", username, () -> complete.withCredentials(username, secret));
	}

	private static <T> T checked(String name, @Nullable Object value, Supplier<T> parser) {
		try {
			return parser.get();
		}
		catch (IllegalArgumentException ex) {
			throw invalid(name, value, ex);
		}
	}

	static InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value,
			IllegalArgumentException cause) {
		return new InvalidConfigurationPropertyValueException(SandboxProperties.PREFIX + name, value,
				String.valueOf(cause.getMessage()));
	}

	/**
	 * The problem that prevents the use of a sandbox.
	 *
	 * @param finding the reason
	 * @param exception the exception of a start that needs the sandbox
	 * @param passing whether it may pass without a change of the settings, so that an
	 * application can start with the sandbox and commands fail until then
	 */
	record Problem(String finding, SandboxException exception, boolean passing) {

		Problem(String finding, SandboxException exception) {
			this(finding, exception, false);
		}

		@Override
		public String toString() {
			return this.finding + "; " + this.exception.remedy();
		}

	}

	/**
	 * The settings in which two sandboxes may differ. They are compared without the
	 * methods of records, which the JVM generates when they are called first.
	 *
	 * @param network the network access, or null
	 * @param networkAllow the hosts of the allow-list
	 * @param networkAllowInternal the internal hosts of the allow-list
	 * @param limits the resource limits
	 */
	private record Settings(@Nullable NetworkAccess network, List<String> networkAllow,
			List<String> networkAllowInternal, SandboxLimitsProperties limits) {

		static Settings of(SandboxProperties properties) {
			return new Settings(properties.network(), properties.networkAllow(), properties.networkAllowInternal(),
					properties.limits());
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Settings that && this.network == that.network
					&& this.networkAllow.equals(that.networkAllow)
					&& this.networkAllowInternal.equals(that.networkAllowInternal)
					&& Objects.equals(this.limits, that.limits);
		}

		@Override
		public int hashCode() {
			return this.networkAllow.hashCode();
		}

	}

}
