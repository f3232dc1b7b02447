package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that starts a command and exits, for a test to run.
 */
final class StartAndExit {

	private StartAndExit() {
	}

	public static void main(String[] args) throws InterruptedException {
		LocalProcessSandbox sandbox = new LocalProcessSandbox();
		CountDownLatch printed = new CountDownLatch(1);
		sandbox.start(new SandboxRequest.Builder("echo; " + args[0], Path.of("/tmp")).build())
			.output()
			.subscribe((chunk) -> printed.countDown());
		printed.await(10, TimeUnit.SECONDS);
		System.out.println("started");
		System.exit(0);
	}

}
