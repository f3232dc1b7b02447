package io.kairo.sandbox.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What this machine offers to the user who runs the tests, found out in another way than
 * the sandbox does.
 */
final class Machine {

	private static final List<Path> CONTROL_GROUPS = List.of(Path.of("/sys/fs/cgroup/unified"),
			Path.of("/sys/fs/cgroup/freezer"), Path.of("/sys/fs/cgroup/pids"));

	private Machine() {
	}

	static boolean unsharesMounts() {
		return succeeds("unshare", "--map-root-user", "--mount", "--propagation", "private", "mount", "--bind", "/tmp",
				"/tmp");
	}

	/**
	 * Tells whether a group can be made and joined below the root of a hierarchy, where
	 * the JVM is in that.
	 */
	static boolean makesControlGroups() {
		return CONTROL_GROUPS.stream().anyMatch(Machine::makesControlGroup);
	}

	private static boolean makesControlGroup(Path hierarchy) {
		try {
			String self = Long.toString(ProcessHandle.current().pid());
			if (!Files.readAllLines(hierarchy.resolve("cgroup.procs")).contains(self)) {
				return false;
			}
			Path group = Files.createDirectory(hierarchy.resolve("kairo-test-" + self));
			try {
				return succeeds("sh", "-c", "echo 0 > '" + group + "/cgroup.procs'");
			}
			finally {
				Files.delete(group);
			}
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Returns the control groups of this JVM's sandboxes that are there now.
	 */
	static List<Path> controlGroups() throws IOException {
		return controlGroups(ProcessHandle.current().pid());
	}

	static List<Path> controlGroups(long jvm) throws IOException {
		List<Path> found = new ArrayList<>();
		for (Path hierarchy : CONTROL_GROUPS) {
			if (Files.isDirectory(hierarchy)) {
				String own = "kairo-*-" + jvm + "-*";
				try (var directories = Files.newDirectoryStream(hierarchy, own)) {
					directories.forEach(found::add);
				}
			}
		}
		return found;
	}

	private static boolean succeeds(String... command) {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(Redirect.DISCARD)
				.start();
			return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
