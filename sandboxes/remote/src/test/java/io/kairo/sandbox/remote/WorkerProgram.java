package io.kairo.sandbox.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServer;
import io.kairo.sandbox.remote.server.SandboxServerOptions;

/**
 * A worker in a JVM of its own, which prints its port and ends with its input.
 */
final class WorkerProgram {

	private WorkerProgram() {
	}

	public static void main(String[] args) throws IOException {
		RemoteClient client = new RemoteClient("tests", RemotePair.TOKEN, Set.of(), List.of("/"));
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox();
				SandboxServer server = new SandboxServer(sandbox,
						SandboxServerOptions.of(client).withLease(Duration.ofSeconds(Long.parseLong(args[0]))))) {
			System.out.println(Objects.requireNonNull(server.address()).getPort());
			while (System.in.read() >= 0) {
				// until it is closed
			}
		}
	}

}
