package io.kairo.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.PathMapping;
import io.kairo.sandbox.remote.RemoteSandbox;
import io.kairo.sandbox.remote.RemoteSandboxOptions;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServer;
import io.kairo.sandbox.remote.server.SandboxServerOptions;

/**
 * The remote sandbox, with a worker on this machine, beside the sandbox of the worker.
 *
 * @param sizes the amount of work
 */
record RemoteBenchmarks(Sizes sizes) {

	private static final String TOKEN = "the token of the benchmarks";

	List<Comparison> comparisons() {
		return List.of(
				new Comparison("command, remote backend over loopback", "process backend", 2,
						(scratch) -> sides(scratch, CommandBenchmarks::starts)),
				new Comparison("drain " + (this.sizes.outputBytes() >> 20) + " MB, remote backend over loopback",
						"process backend", 1.5, (scratch) -> sides(scratch, this::drain)));
	}

	private Work<?> drain(ExecutionSandbox sandbox, Path directory) {
		return new CommandBenchmarks(this.sizes).drain(sandbox, directory);
	}

	private static Sides sides(Scratch scratch, Action action) throws IOException {
		LocalProcessSandbox local = scratch.closing(new LocalProcessSandbox());
		SandboxServer server = scratch.closing(new SandboxServer(local,
				SandboxServerOptions.of(new RemoteClient("benchmarks", TOKEN, Set.of(), List.of("/")))));
		int port = Objects.requireNonNull(server.address()).getPort();
		RemoteSandbox remote = scratch.closing(new RemoteSandbox(RemoteSandboxOptions
			.of(URI.create("http://127.0.0.1:" + port), TOKEN, new PathMapping(Path.of("/"), "/"))));
		Path directory = scratch.directory("commands");
		return new Sides(action.in(remote, directory), action.in(local, directory));
	}

	/**
	 * What is measured in a sandbox.
	 */
	@FunctionalInterface
	private interface Action {

		Work<?> in(ExecutionSandbox sandbox, Path directory);

	}

}
