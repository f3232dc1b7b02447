package io.kairo.sandbox.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Features of the host that are available to the user of the tests. They are determined
 * independently of the sandbox.
 */
final class HostFeatures {

	private static final List<Path> CONTROL_GROUPS = List.of(Path.of("/sys/fs/cgroup/unified"),
			Path.of("/sys/fs/cgroup/freezer"), Path.of("/sys/fs/cgroup/pids"));

	private HostFeatures() {
	}

	static boolean canUnshareMounts() {
		return succeeds("unshare", "--map-root-user", "--mount", "--propagation", "private", "mount", "--bind", "/tmp",
				"/tmp");
	}

	/**
	 * Returns whether control groups can be created and joined below the root of a
	 * hierarchy that contains the JVM.
	 */
	static boolean canCreateControlGroups() {
		return CONTROL_GROUPS.stream().anyMatch(HostFeatures::canCreateControlGroup);
	}

	private static boolean canCreateControlGroup(Path hierarchy) {
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
	 * Returns the existing control groups of the sandboxes of this JVM.
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
