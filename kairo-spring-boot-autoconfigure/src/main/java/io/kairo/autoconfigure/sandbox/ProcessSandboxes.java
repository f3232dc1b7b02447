package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;

import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.process.LocalProcessSandboxOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The configured sandboxes of type {@code process}.
 */
final class ProcessSandboxes extends SandboxesOfType<LocalProcessSandbox> {

	private final Path stateDirectory;

	private final Duration shutdownGrace;

	private final boolean nativeCalls;

	private final ObjectProvider<LocalProcessSandboxOptionsCustomizer> customizers;

	ProcessSandboxes(Path stateDirectory, Duration shutdownGrace, boolean nativeCalls,
			ObjectProvider<LocalProcessSandboxOptionsCustomizer> customizers) {
		this.stateDirectory = stateDirectory;
		this.shutdownGrace = shutdownGrace;
		this.nativeCalls = nativeCalls;
		this.customizers = customizers;
	}

	@Override
	protected LocalProcessSandbox create(SandboxProperties properties) {
		LocalProcessSandboxOptions options = LocalProcessSandboxOptions.defaults()
			.withInheritEnv(properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withShutdownGrace(this.shutdownGrace)
			.withNativeCalls(this.nativeCalls)
			.withLimits(limits(properties));
		return new InterceptableProcessSandbox(this.customizers.orderedStream()
			.reduce(options, (each, next) -> next.customize(each), (first, last) -> last));
	}

	@Override
	protected @Nullable Problem test(LocalProcessSandbox sandbox) {
		return null;
	}

	@Override
	protected void close(LocalProcessSandbox sandbox) {
		sandbox.close();
	}

}
