package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.landlock.LandlockOptions;
import io.kairo.sandbox.landlock.LandlockOptions.Network;
import io.kairo.sandbox.landlock.LandlockSandbox;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The configured sandboxes of type {@code landlock}.
 */
final class LandlockSandboxes extends SandboxesOfType<LandlockSandbox> {

	private final Path stateDirectory;

	private final Duration shutdownGrace;

	private final boolean nativeCalls;

	private final ObjectProvider<LandlockOptionsCustomizer> customizers;

	LandlockSandboxes(Path stateDirectory, Duration shutdownGrace, boolean nativeCalls,
			ObjectProvider<LandlockOptionsCustomizer> customizers) {
		this.stateDirectory = stateDirectory;
		this.shutdownGrace = shutdownGrace;
		this.nativeCalls = nativeCalls;
		this.customizers = customizers;
	}

	@Override
	protected LandlockSandbox create(SandboxProperties properties) {
		LandlockOptions options = LandlockOptions.defaults()
			.withInheritEnv(properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withShutdownGrace(this.shutdownGrace)
			.withHiddenPaths(List.of(this.stateDirectory))
			.withNetwork((properties.network() == NetworkAccess.HOST) ? Network.HOST : Network.NONE)
			.withNativeCalls(this.nativeCalls)
			.withLimits(limits(properties));
		try {
			options = options.withReadOnlyPaths(properties.landlock().readOnlyPaths());
		}
		catch (IllegalArgumentException ex) {
			throw invalid("landlock.read-only-paths", properties.landlock().readOnlyPaths(), ex);
		}
		return new LandlockSandbox(this.customizers.orderedStream()
			.reduce(options, (each, next) -> next.customize(each), (first, last) -> last));
	}

	@Override
	protected @Nullable Problem unsupported(SandboxProperties properties) {
		if (properties.network() == NetworkAccess.ALLOW_LIST) {
			return unsupported("kairo.sandbox.network is allow-list, which needs a network namespace");
		}
		return (properties.limits().tmpfsSize() != null)
				? unsupported("kairo.sandbox.limits.tmpfs-size is set, which needs a mount namespace") : null;
	}

	private static Problem unsupported(String finding) {
		return new Problem(finding, new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE,
				"Landlock cannot be used: " + finding, "use bubblewrap or Docker, or remove the property"));
	}

	@Override
	protected @Nullable Problem test(LandlockSandbox sandbox) {
		BackendProblem problem = sandbox.problem();
		return (problem != null) ? new Problem(problem.toString(), problem.toException()) : null;
	}

	@Override
	protected void close(LandlockSandbox sandbox) {
		sandbox.close();
	}

}
