package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * The containers of a test that gVisor runs. The host does not see their processes, so
 * they are counted in the containers.
 */
final class GvisorContainers {

	/** Prints the number of processes with an argument, which it reads. */
	private static final String COUNT = """
			chomp(my $argument = <STDIN>);
			for (glob '/proc/[0-9]*/cmdline') {
				open my $file, '<', $_ or next;
				local $/;
				$count++ if grep { $_ eq $argument } split /\\0/, <$file> // '';
			}
			print $count || 0;
			""";

	private final Set<String> workspaces = ConcurrentHashMap.newKeySet();

	/**
	 * Returns options for containers that gVisor runs.
	 */
	static DockerOptions options() {
		return TestContainers.options("kairo-test-image:gvisor").with((changes) -> changes.runtime("runsc"));
	}

	/**
	 * Returns a sandbox whose containers are known here.
	 */
	ExecutionSandbox sandbox(DockerOptions options) {
		return new Recording(TestContainers.sandbox(options));
	}

	/**
	 * Adds the containers of a workspace.
	 */
	void add(Path workspace) {
		this.workspaces.add(workspace.toString());
	}

	/**
	 * Returns the number of processes in the containers that have an argument.
	 */
	int countProcesses(String argument) {
		return run("", "docker", "ps", "--no-trunc", "--filter", "label=" + ContainerFactory.LABEL, "--format",
				"{{.ID}} {{.Label \"io.kairo.workspace\"}}")
			.lines()
			.map((line) -> line.split(" ", 2))
			.filter((container) -> this.workspaces.contains(container[1]))
			.mapToInt((container) -> count(container[0], argument))
			.sum();
	}

	/**
	 * Returns zero if the container has ended.
	 */
	private static int count(String container, String argument) {
		// as root, so that no command and no launcher can end it
		String count = run(argument + "\n", "docker", "exec", "-i", "-u", "0", container, "perl", "-e", COUNT);
		return count.isEmpty() ? 0 : Integer.parseInt(count);
	}

	private static String run(String input, String... command) {
		try {
			Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
			try (var out = process.getOutputStream()) {
				out.write(input.getBytes(StandardCharsets.UTF_8));
			}
			catch (IOException ex) {
				// it has ended already
			}
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return (process.waitFor() == 0) ? output.strip() : "";
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Remembers the workspaces of commands.
	 */
	private final class Recording implements ExecutionSandbox, AutoCloseable {

		private final ExecutionSandbox sandbox;

		Recording(ExecutionSandbox sandbox) {
			this.sandbox = sandbox;
		}

		@Override
		public SandboxHandle start(SandboxRequest request) {
			add(request.workspaceRoot());
			return this.sandbox.start(request);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return this.sandbox.capabilities();
		}

		@Override
		public void close() throws Exception {
			((AutoCloseable) this.sandbox).close();
		}

	}

}
