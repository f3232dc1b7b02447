package io.kairo.sandbox.remote;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that is a client and its worker, starts a command, and waits to be killed.
 */
final class StayingProgram {

	private StayingProgram() {
	}

	public static void main(String[] args) throws InterruptedException {
		RemotePair pair = RemotePair.bubblewrap(JvmUser.bubblewrapOptions(), (port) -> port);
		pair.start(new SandboxRequest.Builder(args[1], Path.of(args[0])).timeout(Duration.ofMinutes(5)).build());
		System.out.println("started");
		new CountDownLatch(1).await();
	}

}
