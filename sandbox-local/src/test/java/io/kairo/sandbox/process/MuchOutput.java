package io.kairo.sandbox.process;

import java.nio.file.Path;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that runs a command which prints a gigabyte, half of it in a single line, for
 * a test to run.
 */
final class MuchOutput {

	private MuchOutput() {
	}

	public static void main(String[] args) {
		String command = "yes | head -c 536870912; head -c 536870912 /dev/zero >&2";
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox();
				SandboxHandle handle = sandbox.start(new SandboxRequest.Builder(command, Path.of("/tmp")).build())) {
			for (int i = 0; i < 100; i++) {
				handle.output().subscribe((chunk) -> handle.exit().block());
			}
			System.out.println(handle.exit().block().exitCode() + " " + handle.discardedBytes());
		}
		System.exit(0);
	}

}
