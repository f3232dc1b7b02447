package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions.Network;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions.UnixSockets;
import io.kairo.sandbox.bubblewrap.BubblewrapProblem;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.bubblewrap.RunAs;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.process.LocalProcessSandboxOptions;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.ProcessLimits;
import io.kairo.sandbox.support.proxy.AllowList;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Creates the configured sandboxes that run on this machine. For use by one thread, at
 * start-up and shutdown.
 */
final class LocalSandboxes implements AutoCloseable {

	private final SandboxProperties properties;

	private final Path stateDirectory;

	private final Duration shutdownGrace;

	private final UnaryOperator<BubblewrapOptions> bubblewrapCustomizer;

	private final UnaryOperator<LocalProcessSandboxOptions> processCustomizer;

	/**
	 * By their settings, so that a self-test, which takes a while, is not repeated.
	 */
	private final Map<Settings, BubblewrapSandbox> bubblewraps = new HashMap<>();

	private final Map<Settings, LocalProcessSandbox> processes = new HashMap<>();

	LocalSandboxes(SandboxProperties properties, Path stateDirectory, Duration shutdownGrace,
			UnaryOperator<BubblewrapOptions> bubblewrapCustomizer,
			UnaryOperator<LocalProcessSandboxOptions> processCustomizer) {
		this.properties = properties;
		this.stateDirectory = stateDirectory;
		this.shutdownGrace = shutdownGrace;
		this.bubblewrapCustomizer = bubblewrapCustomizer;
		this.processCustomizer = processCustomizer;
	}

	/**
	 * Selects the sandboxes to create. A sandbox that is configured by name has to work;
	 * otherwise the strongest one that works is selected.
	 */
	SandboxChoice choose() {
		SandboxChoice common = choose("type", this.properties);
		Map<String, SandboxChoice> tenants = new HashMap<>();
		this.properties.tenants().forEach((tenant, own) -> {
			String property = (own.type() != null) ? "tenants." + tenant + ".type" : "type";
			tenants.put(tenant, choose(property, this.properties.of(tenant)));
		});
		return new SandboxChoice(common.type(), common.reason(), tenants);
	}

	private SandboxChoice choose(String property, SandboxProperties properties) {
		SandboxType type = properties.type();
		String named = SandboxProperties.PREFIX + property + " is " + type.spelled();
		BubblewrapProblem problem = (type == SandboxType.BUBBLEWRAP || type == SandboxType.AUTO)
				? bubblewrapProblem(properties) : null;
		String runAs = properties.bubblewrap().runAs();
		return switch (type) {
			case PROCESS, NONE -> new SandboxChoice(type, named);
			case BUBBLEWRAP -> {
				if (problem != null) {
					throw problem.toException();
				}
				yield new SandboxChoice(type, named);
			}
			case AUTO -> {
				if (problem != null && problem.reason() == BubblewrapProblem.Reason.RELAY_MISSING) {
					// no other sandbox enforces an allow-list
					throw problem.toException();
				}
				yield (problem == null)
						? new SandboxChoice(SandboxType.BUBBLEWRAP, "the strongest sandbox that works here")
						: new SandboxChoice(SandboxType.PROCESS,
								"bubblewrap cannot be used: " + problem + "; " + problem.reason().remedy()
										+ ((runAs(runAs) != null)
												? "; commands have the rights of this application, not those of "
														+ runAs + " (kairo.sandbox.bubblewrap.run-as)"
												: ""));
			}
		};
	}

	/**
	 * Creates the sandbox for the commands of all tenants.
	 */
	ExecutionSandbox create(SandboxChoice choice) {
		ExecutionSandbox common = sandbox(choice.type(), this.properties);
		if (choice.tenants().isEmpty()) {
			return common;
		}
		Map<String, ExecutionSandbox> own = new HashMap<>();
		choice.tenants()
			.forEach((tenant, chosen) -> own.put(tenant, sandbox(chosen.type(), this.properties.of(tenant))));
		return new TenantSandboxes(common, own);
	}

	/**
	 * Closes all created sandboxes.
	 */
	@Override
	public void close() {
		this.bubblewraps.values().forEach(BubblewrapSandbox::close);
		this.processes.values().forEach(LocalProcessSandbox::close);
	}

	private ExecutionSandbox sandbox(SandboxType type, SandboxProperties properties) {
		if (type == SandboxType.NONE) {
			return new NoCommands();
		}
		if (type == SandboxType.BUBBLEWRAP) {
			return bubblewrap(properties);
		}
		return this.processes.computeIfAbsent(Settings.of(properties), (settings) -> new InterceptableProcessSandbox(
				this.processCustomizer.apply(processOptions(properties))));
	}

	private BubblewrapSandbox bubblewrap(SandboxProperties properties) {
		return this.bubblewraps.computeIfAbsent(Settings.of(properties), (settings) -> {
			BubblewrapOptions options = this.bubblewrapCustomizer.apply(bubblewrapOptions(properties));
			return (options.network() == Network.ALLOW_LIST) ? new BubblewrapSandbox(options, allowList(properties))
					: new BubblewrapSandbox(options);
		});
	}

	private @Nullable BubblewrapProblem bubblewrapProblem(SandboxProperties properties) {
		BubblewrapSandbox sandbox = bubblewrap(properties);
		BubblewrapProblem problem = sandbox.problem();
		if (problem != null) {
			sandbox.close();
			this.bubblewraps.remove(Settings.of(properties));
		}
		return problem;
	}

	private static AllowList allowList(SandboxProperties properties) {
		try {
			return AllowList.of(properties.networkAllow());
		}
		catch (IllegalArgumentException ex) {
			throw invalid("network-allow", properties.networkAllow(), ex);
		}
	}

	private LocalProcessSandboxOptions processOptions(SandboxProperties properties) {
		return LocalProcessSandboxOptions.defaults()
			.withInheritEnv(properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withShutdownGrace(this.shutdownGrace)
			.withLimits(limits(properties));
	}

	private BubblewrapOptions bubblewrapOptions(SandboxProperties properties) {
		BubblewrapProperties bubblewrap = properties.bubblewrap();
		BubblewrapOptions options = BubblewrapOptions.defaults()
			.withInheritEnv(properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withShutdownGrace(this.shutdownGrace)
			.withExecutable(bubblewrap.executable())
			.withRunAs(runAs(bubblewrap.runAs()))
			.withHiddenPaths(List.of(this.stateDirectory))
			.withUnixSockets(bubblewrap.unixSockets() ? UnixSockets.ALLOWED : UnixSockets.DENIED)
			.withNetwork(network(properties.network()))
			.withLimits(limits(properties));
		try {
			options = options.withReadOnlyPaths(bubblewrap.readOnlyPaths());
		}
		catch (IllegalArgumentException ex) {
			throw invalid("bubblewrap.read-only-paths", bubblewrap.readOnlyPaths(), ex);
		}
		DataSize size = properties.limits().tmpfsSize();
		try {
			return (size != null) ? options.withTmpfsBytes(size.toBytes()) : options;
		}
		catch (IllegalArgumentException ex) {
			throw invalid("limits.tmpfs-size", size, ex);
		}
	}

	private static Network network(@Nullable NetworkAccess access) {
		if (access == NetworkAccess.HOST) {
			return Network.HOST;
		}
		return (access == NetworkAccess.ALLOW_LIST) ? Network.ALLOW_LIST : Network.NONE;
	}

	private static @Nullable RunAs runAs(@Nullable String text) {
		try {
			return (text != null && !text.isBlank()) ? RunAs.parse(text) : null;
		}
		catch (IllegalArgumentException ex) {
			throw invalid("bubblewrap.run-as", text, ex);
		}
	}

	private static CommandLimits limits(SandboxProperties properties) {
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

	private static InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value,
			IllegalArgumentException cause) {
		return invalid(name, value, String.valueOf(cause.getMessage()));
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value,
			String reason) {
		return new InvalidConfigurationPropertyValueException(SandboxProperties.PREFIX + name, value, reason);
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
