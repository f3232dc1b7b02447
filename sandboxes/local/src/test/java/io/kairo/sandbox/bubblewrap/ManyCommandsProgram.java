package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that starts commands from threads that end at once, prints a line for each,
 * and waits to be killed.
 */
final class ManyCommandsProgram {

	private ManyCommandsProgram() {
	}

	public static void main(String[] args) throws InterruptedException {
		BubblewrapSandbox sandbox = new BubblewrapSandbox(JvmUser.bubblewrapOptions());
		if (sandbox.problem() != null) {
			System.out.println(sandbox.problem());
			return;
		}
		System.out.println("started");
		for (int i = 0; i < Integer.parseInt(args[2]); i++) {
			Thread starter = new Thread(() -> sandbox
				.start(new SandboxRequest.Builder(args[1], Path.of(args[0])).timeout(Duration.ofMinutes(5)).build()));
			starter.start();
			starter.join();
			System.out.println("command " + i);
		}
		new CountDownLatch(1).await();
	}

}
