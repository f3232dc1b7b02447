package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
import io.kairo.sandbox.support.proxy.AllowList;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Makes the sandboxes that the configuration asks for, of those that run on this machine.
 * For use by one thread, as the application starts and ends.
 */
final class LocalSandboxes implements AutoCloseable {

	private static final String PREFIX = "kairo.sandbox.";

	private final SandboxProperties properties;

	private final Path stateDirectory;

	private final Duration shutdownGrace;

	private @Nullable BubblewrapSandbox bubblewrap;

	private @Nullable LocalProcessSandbox process;

	LocalSandboxes(SandboxProperties properties, Path stateDirectory, Duration shutdownGrace) {
		this.properties = properties;
		this.stateDirectory = stateDirectory;
		this.shutdownGrace = shutdownGrace;
	}

	/**
	 * Finds out which sandboxes to make. One that is named has to work; of all others the
	 * strongest that does is taken.
	 */
	SandboxChoice choose() {
		SandboxChoice everybody = choose("type", this.properties.type());
		Map<String, SandboxChoice> tenants = new HashMap<>();
		this.properties.tenants()
			.forEach((tenant, own) -> tenants.put(tenant, choose("tenants." + tenant + ".type", own.type())));
		return new SandboxChoice(everybody.type(), everybody.reason(), tenants);
	}

	private SandboxChoice choose(String property, SandboxType type) {
		String named = PREFIX + property + " is " + type.spelled();
		BubblewrapProblem problem = (type == SandboxType.BUBBLEWRAP || type == SandboxType.AUTO) ? bubblewrapProblem()
				: null;
		String runAs = this.properties.bubblewrap().runAs();
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
					// no other one enforces a list
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
	 * Makes the sandbox that runs the commands of everybody.
	 */
	ExecutionSandbox create(SandboxChoice choice) {
		ExecutionSandbox everybody = sandbox(choice.type());
		if (choice.tenants().isEmpty()) {
			return everybody;
		}
		Map<String, ExecutionSandbox> own = new HashMap<>();
		choice.tenants().forEach((tenant, chosen) -> own.put(tenant, sandbox(chosen.type())));
		return new TenantSandboxes(everybody, own);
	}

	/**
	 * Closes all sandboxes that were made.
	 */
	@Override
	public void close() {
		if (this.bubblewrap != null) {
			this.bubblewrap.close();
		}
		if (this.process != null) {
			this.process.close();
		}
	}

	private ExecutionSandbox sandbox(SandboxType type) {
		if (type == SandboxType.NONE) {
			return new NoCommands();
		}
		if (type == SandboxType.BUBBLEWRAP) {
			return bubblewrap();
		}
		if (this.process == null) {
			this.process = new LocalProcessSandbox(processOptions());
		}
		return this.process;
	}

	/**
	 * Returns the sandbox that is tried out, and then used: trying out takes a while.
	 */
	private BubblewrapSandbox bubblewrap() {
		if (this.bubblewrap == null) {
			BubblewrapOptions options = bubblewrapOptions();
			this.bubblewrap = (options.network() == Network.ALLOW_LIST) ? new BubblewrapSandbox(options, allowList())
					: new BubblewrapSandbox(options);
		}
		return this.bubblewrap;
	}

	private @Nullable BubblewrapProblem bubblewrapProblem() {
		BubblewrapSandbox sandbox = bubblewrap();
		BubblewrapProblem problem = sandbox.problem();
		if (problem != null) {
			sandbox.close();
			this.bubblewrap = null;
		}
		return problem;
	}

	private AllowList allowList() {
		try {
			return AllowList.of(this.properties.networkAllow());
		}
		catch (IllegalArgumentException ex) {
			throw invalid("network-allow", this.properties.networkAllow(), ex);
		}
	}

	private LocalProcessSandboxOptions processOptions() {
		return LocalProcessSandboxOptions.defaults()
			.withInheritEnv(this.properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withShutdownGrace(this.shutdownGrace)
			.withLimits(limits());
	}

	private BubblewrapOptions bubblewrapOptions() {
		BubblewrapProperties properties = this.properties.bubblewrap();
		BubblewrapOptions options = BubblewrapOptions.defaults()
			.withInheritEnv(this.properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withShutdownGrace(this.shutdownGrace)
			.withExecutable(properties.executable())
			.withRunAs(runAs(properties.runAs()))
			.withHiddenPaths(List.of(this.stateDirectory))
			.withUnixSockets(properties.unixSockets() ? UnixSockets.ALLOWED : UnixSockets.DENIED)
			.withNetwork(network())
			.withLimits(limits());
		try {
			options = options.withReadOnlyPaths(properties.readOnlyPaths());
		}
		catch (IllegalArgumentException ex) {
			throw invalid("bubblewrap.read-only-paths", properties.readOnlyPaths(), ex);
		}
		DataSize size = this.properties.limits().tmpfsSize();
		try {
			return (size != null) ? options.withTmpfsBytes(size.toBytes()) : options;
		}
		catch (IllegalArgumentException ex) {
			throw invalid("limits.tmpfs-size", size, ex);
		}
	}

	private Network network() {
		NetworkAccess access = this.properties.network();
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

	private CommandLimits limits() {
		SandboxLimitsProperties limits = this.properties.limits();
		try {
			return new CommandLimits((limits.memory() != null) ? limits.memory().toBytes() : null, limits.cpus(),
					limits.pids(), (limits.fileSize() != null) ? limits.fileSize().toBytes() : null);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("limits", limits, ex);
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value,
			IllegalArgumentException cause) {
		return invalid(name, value, String.valueOf(cause.getMessage()));
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, @Nullable Object value,
			String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + name, value, reason);
	}

}
