package io.kairo.autoconfigure.sandbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.ProcessLimits;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.RequestRules;
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
	 * a self-test.
	 * @return the problem, null if it can be used
	 */
	final @Nullable Problem problem(SandboxProperties properties) {
		Problem unsupported = unsupported(properties);
		if (unsupported != null) {
			return unsupported;
		}
		S sandbox = get(properties);
		Problem problem = test(sandbox);
		if (problem != null) {
			this.sandboxes.remove(Settings.of(properties));
			close(sandbox);
		}
		return problem;
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

	static AllowList allowList(SandboxProperties properties) {
		try {
			return AllowList.of(properties.networkAllow());
		}
		catch (IllegalArgumentException ex) {
			throw invalid("network-allow", properties.networkAllow(), ex);
		}
	}

	static AllowList allowList(SandboxProperties properties, ObjectProvider<RequestRules> rules) {
		return allowList(properties).withRules(rules.getIfAvailable(() -> RequestRules.NONE));
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
	 */
	record Problem(String finding, SandboxException exception) {

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
	 * @param limits the resource limits
	 */
	private record Settings(@Nullable NetworkAccess network, List<String> networkAllow,
			SandboxLimitsProperties limits) {

		static Settings of(SandboxProperties properties) {
			return new Settings(properties.network(), properties.networkAllow(), properties.limits());
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Settings that && this.network == that.network
					&& this.networkAllow.equals(that.networkAllow) && Objects.equals(this.limits, that.limits);
		}

		@Override
		public int hashCode() {
			return this.networkAllow.hashCode();
		}

	}

}
