package io.kairo.sandbox.remote;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that starts a command on a worker, and waits to be killed.
 */
final class StayingClientProgram {

	private StayingClientProgram() {
	}

	public static void main(String[] args) throws InterruptedException {
		RemoteSandbox sandbox = new RemoteSandbox(RemoteSandboxOptions.of(URI.create("http://127.0.0.1:" + args[0]),
				RemotePair.TOKEN, new PathMapping(Path.of("/"), "/")));
		sandbox.start(new SandboxRequest.Builder(args[2], Path.of(args[1])).timeout(Duration.ofMinutes(5)).build());
		System.out.println("started");
		new CountDownLatch(1).await();
	}

}
