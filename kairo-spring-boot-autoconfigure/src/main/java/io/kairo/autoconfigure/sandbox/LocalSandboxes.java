package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

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
 * Makes the sandbox that the configuration asks for, of those that run on this machine.
 */
final class LocalSandboxes {

	private static final String PREFIX = "kairo.sandbox.";

	private final SandboxProperties properties;

	private final Path stateDirectory;

	private final Duration shutdownGrace;

	LocalSandboxes(SandboxProperties properties, Path stateDirectory, Duration shutdownGrace) {
		this.properties = properties;
		this.stateDirectory = stateDirectory;
		this.shutdownGrace = shutdownGrace;
	}

	/**
	 * Finds out which sandbox to make. One that is named has to work; of all others the
	 * strongest that does is taken.
	 */
	SandboxChoice choose() {
		return switch (this.properties.type()) {
			case PROCESS -> new SandboxChoice(SandboxType.PROCESS, "kairo.sandbox.type is process");
			case BUBBLEWRAP -> {
				BubblewrapProblem problem = bubblewrapProblem();
				if (problem != null) {
					throw problem.toException();
				}
				yield new SandboxChoice(SandboxType.BUBBLEWRAP, "kairo.sandbox.type is bubblewrap");
			}
			case AUTO -> {
				BubblewrapProblem problem = bubblewrapProblem();
				if (problem != null && problem.reason() == BubblewrapProblem.Reason.RELAY_MISSING) {
					// no other one enforces a list
					throw problem.toException();
				}
				yield (problem == null)
						? new SandboxChoice(SandboxType.BUBBLEWRAP, "the strongest sandbox that works here")
						: new SandboxChoice(SandboxType.PROCESS,
								"bubblewrap cannot be used: " + problem + "; " + problem.reason().remedy());
			}
			default -> throw new InvalidConfigurationPropertyValueException(PREFIX + "type",
					this.properties.type().name().toLowerCase(Locale.ROOT),
					"this sandbox is not on the class path; use auto, bubblewrap, process or none");
		};
	}

	ExecutionSandbox create(SandboxChoice choice) {
		return (choice.type() == SandboxType.BUBBLEWRAP) ? bubblewrapSandbox() : new LocalProcessSandbox(process());
	}

	private @Nullable BubblewrapProblem bubblewrapProblem() {
		try (BubblewrapSandbox sandbox = bubblewrapSandbox()) {
			return sandbox.problem();
		}
	}

	private BubblewrapSandbox bubblewrapSandbox() {
		BubblewrapOptions options = bubblewrap();
		return (options.network() == Network.ALLOW_LIST) ? new BubblewrapSandbox(options, allowList())
				: new BubblewrapSandbox(options);
	}

	private AllowList allowList() {
		try {
			return AllowList.of(this.properties.networkAllow());
		}
		catch (IllegalArgumentException ex) {
			throw invalid("network-allow", this.properties.networkAllow(), ex);
		}
	}

	private LocalProcessSandboxOptions process() {
		return LocalProcessSandboxOptions.defaults()
			.withInheritEnv(this.properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withShutdownGrace(this.shutdownGrace)
			.withLimits(limits());
	}

	private BubblewrapOptions bubblewrap() {
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
		return new InvalidConfigurationPropertyValueException(PREFIX + name, value, String.valueOf(cause.getMessage()));
	}

}
