package io.kairo.sandbox.docker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that starts a command in a container, and waits to be killed. A third
 * argument selects gVisor.
 */
final class StayingProgram {

	private StayingProgram() {
	}

	public static void main(String[] args) throws InterruptedException {
		DockerSandbox sandbox = new DockerSandbox(
				(args.length > 2) ? GvisorContainers.options() : TestContainers.options());
		sandbox.start(new SandboxRequest.Builder(args[1], Path.of(args[0])).timeout(Duration.ofMinutes(5)).build());
		System.out.println("started");
		new CountDownLatch(1).await();
	}

}
