package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.proxy.AllowList;

/**
 * A program that starts a command with an allow-list, prints a line, and waits to be
 * killed.
 */
final class AllowListProgram {

	private AllowListProgram() {
	}

	public static void main(String[] args) throws InterruptedException {
		BubblewrapSandbox sandbox = new BubblewrapSandbox(JvmUser.bubblewrapOptions()
			.with((changes) -> changes
				.commands((commands) -> commands.allowList(AllowList.of(List.of("allowed.test"))))));
		sandbox.start(new SandboxRequest.Builder(args[1], Path.of(args[0])).timeout(Duration.ofMinutes(5)).build());
		System.out.println("started");
		new CountDownLatch(1).await();
	}

}
