package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.backend.CommandSettings;

/**
 * A program that starts a command, prints a line once it runs, and waits to be killed.
 * With a second argument, a shutdown of the JVM waits for the end of the command, prints
 * its exit code and closes the sandbox.
 */
final class SingleCommandProgram {

	private SingleCommandProgram() {
	}

	public static void main(String[] args) throws InterruptedException {
		boolean graceful = args.length > 1;
		LocalProcessSandbox sandbox = new LocalProcessSandbox(CommandSettings.DEFAULTS
			.with((commands) -> commands.shutdownGrace(graceful ? Duration.ofSeconds(60) : Duration.ZERO)));
		SandboxHandle handle = sandbox.start(
				new SandboxRequest.Builder("echo; " + args[0], Path.of("/tmp")).timeout(Duration.ofMinutes(2)).build());
		if (graceful) {
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
