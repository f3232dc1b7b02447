package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions.Network;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions.UnixSockets;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.bubblewrap.RunAs;
import io.kairo.sandbox.support.proxy.RequestRules;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.unit.DataSize;

/**
 * The configured sandboxes of type {@code bubblewrap}.
 */
final class BubblewrapSandboxes extends SandboxesOfType<BubblewrapSandbox> {

	private final Path stateDirectory;

	private final Duration shutdownGrace;

	private final boolean nativeCalls;

	private final ObjectProvider<BubblewrapOptionsCustomizer> customizers;

	private final ObjectProvider<RequestRules> rules;

	BubblewrapSandboxes(Path stateDirectory, Duration shutdownGrace, boolean nativeCalls,
			ObjectProvider<BubblewrapOptionsCustomizer> customizers, ObjectProvider<RequestRules> rules) {
		this.stateDirectory = stateDirectory;
		this.shutdownGrace = shutdownGrace;
		this.nativeCalls = nativeCalls;
		this.customizers = customizers;
		this.rules = rules;
	}

	@Override
	protected BubblewrapSandbox create(SandboxProperties properties) {
		BubblewrapOptions options = this.customizers.orderedStream()
			.reduce(options(properties), (each, next) -> next.customize(each), (first, last) -> last);
		return (options.network() == Network.ALLOW_LIST)
				? new BubblewrapSandbox(options, allowList(properties, this.rules)) : new BubblewrapSandbox(options);
	}

	@Override
	protected @Nullable Problem test(BubblewrapSandbox sandbox) {
		BackendProblem problem = sandbox.problem();
		if (problem == null) {
			return null;
		}
		if (problem.code().equals("relay_missing")) {
			// no other sandbox enforces an allow-list
			throw problem.toException();
		}
		return new Problem(problem.toString(), problem.toException());
	}

	@Override
	protected void close(BubblewrapSandbox sandbox) {
		sandbox.close();
	}

	private BubblewrapOptions options(SandboxProperties properties) {
		BubblewrapProperties bubblewrap = properties.bubblewrap();
		BubblewrapOptions options = BubblewrapOptions.defaults()
			.withInheritEnv(properties.inheritEnv())
			.withDirectory(this.stateDirectory.resolve("sandbox"))
			.withShutdownGrace(this.shutdownGrace)
			.withNativeCalls(this.nativeCalls)
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

}
