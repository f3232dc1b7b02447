package io.kairo.sandbox.support.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Checks whether a control group can be joined and killed, with a process whose parent
 * has ended.
 */
final class CgroupCheck {

	/** Prints the id of an orphan and exits. */
	private static final String ORPHAN = "sleep 60 > /dev/null & echo $!";

	private CgroupCheck() {
	}

	/**
	 * Runs the check.
	 * @param directory the directory of the group, created and removed again
	 * @return the problem, or null if there is none
	 */
	static @Nullable String problem(Path directory) {
		Cgroup group = new Cgroup(directory, (busy) -> {
		});
		try {
			Files.createDirectory(directory);
			return problem(group);
		}
		catch (IOException ex) {
			return "no process can be started in a control group here";
		}
		finally {
			group.remove();
		}
	}

	private static @Nullable String problem(Cgroup group) throws IOException {
		Process process = new ProcessBuilder("/bin/sh", "-c", group.prelude() + ORPHAN)
			.redirectInput(Redirect.from(new File("/dev/null")))
			.redirectError(Redirect.DISCARD)
			.start();
		try (BufferedReader output = process.inputReader()) {
			String line = output.readLine();
			Optional<ProcessHandle> orphan = (line != null) ? ProcessHandle.of(Long.parseLong(line)) : Optional.empty();
			if (orphan.isEmpty() || !group.processes().contains(orphan.get())) {
				return "a process cannot join a control group here";
			}
			new ProcessTree(new CgroupTreeScan(group, List::of), Duration.ZERO).end();
			return Cgroup.isAlive(orphan.get().pid()) ? "a control group cannot be ended here" : null;
		}
		catch (NumberFormatException ex) {
			return "a process cannot join a control group here";
		}
		finally {
			new ProcessTree(new CgroupTreeScan(group, List::of), Duration.ZERO).end();
			process.destroyForcibly();
		}
	}

}
