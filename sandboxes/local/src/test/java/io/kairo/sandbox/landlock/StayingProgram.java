package io.kairo.sandbox.landlock;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that starts a command in a {@link LandlockSandbox} and waits to be killed.
 */
final class StayingProgram {

	private StayingProgram() {
	}

	public static void main(String[] args) throws InterruptedException {
		LandlockSandbox sandbox = new LandlockSandbox();
		SandboxHandle handle = sandbox
			.start(new SandboxRequest.Builder("echo; " + args[0], Path.of(args[1])).timeout(Duration.ofMinutes(2))
				.build());
		handle.output().blockFirst();
		System.out.println("started");
		new CountDownLatch(1).await();
	}

}
