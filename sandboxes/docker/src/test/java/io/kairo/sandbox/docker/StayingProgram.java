package io.kairo.sandbox.docker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that starts a command in a container, and waits to be killed. A third
 * argument selects gVisor, or copies of the workspace if it is {@code copies}.
 */
final class StayingProgram {

	private StayingProgram() {
	}

	public static void main(String[] args) throws InterruptedException {
		String kind = (args.length > 2) ? args[2] : "";
		DockerOptions options = (kind.isEmpty() || kind.equals("copies")) ? TestContainers.options()
				: GvisorContainers.options();
		DockerSandbox sandbox = new DockerSandbox(
				kind.equals("copies") ? options.with((changes) -> changes.workspaces(DockerOptions.Workspaces.COPY)
					.maxCopyBytes(DockerOptions.DEFAULT_MAX_COPY_BYTES)) : options);
		sandbox.start(new SandboxRequest.Builder(args[1], Path.of(args[0])).timeout(Duration.ofMinutes(5)).build());
		System.out.println("started");
		new CountDownLatch(1).await();
	}

}
