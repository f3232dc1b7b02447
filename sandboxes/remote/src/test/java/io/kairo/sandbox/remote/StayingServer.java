package io.kairo.sandbox.remote;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.server.CopyOptions;
import io.kairo.sandbox.remote.server.RemoteClient;
import io.kairo.sandbox.remote.server.SandboxServer;
import io.kairo.sandbox.remote.server.SandboxServerOptions;

/**
 * Runs a command in a copy, in a server of its own, and stays until it is killed.
 */
final class StayingServer {

	private StayingServer() {
	}

	/**
	 * Starts the program.
	 * @param arguments the directory of the copies, the workspace
	 */
	public static void main(String[] arguments) throws InterruptedException {
		SandboxServer server = new SandboxServer(new LocalProcessSandbox(),
				SandboxServerOptions.of(new RemoteClient("tests", RemotePair.TOKEN, Set.of(), List.of("/srv/none")))
					.withCopies(new CopyOptions(Path.of(arguments[0]), 1 << 20, null)));
		int port = Objects.requireNonNull(server.address()).getPort();
		new RemoteSandbox(RemoteSandboxOptions.of(URI.create("http://127.0.0.1:" + port), RemotePair.TOKEN)
			.with((options) -> options.patience(Duration.ofMinutes(1))))
			.start(new SandboxRequest.Builder("exec sleep 60", Path.of(arguments[1])).build());
		System.out.println("started");
		Thread.sleep(Duration.ofMinutes(2).toMillis());
	}

}
