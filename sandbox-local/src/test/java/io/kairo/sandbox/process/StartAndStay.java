package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that starts a command and waits to be ended, for a test to run. With a second
 * argument it ends its work in order: it lets the command come to its end, tells how, and
 * closes the sandbox, for which the sandbox waits. With the command {@code exit} it ends
 * itself.
 */
final class StartAndStay {

	private StartAndStay() {
	}

	public static void main(String[] args) throws InterruptedException {
		boolean inOrder = args.length > 1;
		LocalProcessSandbox sandbox = new LocalProcessSandbox(LocalProcessSandboxOptions.defaults()
			.withShutdownGrace(inOrder ? Duration.ofSeconds(60) : Duration.ZERO));
		SandboxHandle handle = sandbox.start(
				new SandboxRequest.Builder("echo; " + args[0], Path.of("/tmp")).timeout(Duration.ofMinutes(2)).build());
		if (inOrder) {
			Runtime.getRuntime().addShutdownHook(new Thread(() -> {
				System.out.println("ended with " + handle.exit().block().exitCode());
				sandbox.close();
			}));
		}
		handle.output().blockFirst();
		System.out.println("started");
		new CountDownLatch(1).await();
	}

}
