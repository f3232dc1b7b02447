package io.kairo.sandbox.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * Starts commands while no descriptor is free, one is, two are and so on. Prints the
 * outcomes, and finally the number of descriptors and processes that are left.
 */
final class FewDescriptorsProgram {

	private static final int MOST_FREE = 20;

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private FewDescriptorsProgram() {
	}

	public static void main(String[] arguments) throws Exception {
		Path workspace = Path.of(arguments[0]);
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox()) {
			// loads the classes, and those of a failure
			run(sandbox, workspace);
			run(sandbox, workspace.resolve("missing"));
			int before = descriptors();
			Deque<FileInputStream> held = holdAll();
			for (int free = 0; free <= MOST_FREE; free++) {
				System.out.println(run(sandbox, workspace));
				held.pop().close();
			}
			while (!held.isEmpty()) {
				held.pop().close();
			}
			System.out.println("left: " + (descriptors() - before) + " descriptors, "
					+ ProcessHandle.current().children().count() + " processes");
			System.out.println("finally " + run(sandbox, workspace));
		}
	}

	private static String run(LocalProcessSandbox sandbox, Path workspace) {
		try (SandboxHandle handle = sandbox
			.start(new SandboxRequest.Builder("true", workspace).timeout(TIMEOUT).build())) {
			return "exit " + Objects.requireNonNull(handle.exit().block(TIMEOUT.multipliedBy(2))).exitCode();
		}
		catch (SandboxException ex) {
			return ex.code() + ": " + ex.getMessage();
		}
	}

	private static int descriptors() {
		return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
	}

	private static Deque<FileInputStream> holdAll() {
		Deque<FileInputStream> held = new ArrayDeque<>();
		try {
			while (true) {
				held.push(new FileInputStream("/dev/null"));
			}
		}
		catch (IOException ex) {
			return held;
		}
	}

}
