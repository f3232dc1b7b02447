package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.host.ProcessIdentity;

/**
 * Removes the control groups of killed JVMs. No timeout applies any more to the processes
 * that still run in them.
 */
final class AbandonedCgroups {

	private static final Logger logger = System.getLogger(AbandonedCgroups.class.getName());

	private AbandonedCgroups() {
	}

	/**
	 * Ends the processes in the groups and removes the groups.
	 * @param parent the directory of the groups
	 */
	static void remove(Path parent) {
		try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, Cgroups.NAME + "*")) {
			for (Path directory : directories) {
				String name = directory.getFileName().toString();
				ProcessIdentity owner = ProcessIdentity.ofName(name.substring(Cgroups.NAME.length()));
				if (owner != null && owner.hasEnded()) {
					removeAll(directory);
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.DEBUG, "Abandoned control groups could not be searched for", ex);
		}
	}

	private static void removeAll(Path directory) throws IOException {
		try (DirectoryStream<Path> groups = Files.newDirectoryStream(directory, Files::isDirectory)) {
			for (Path group : groups) {
				end(new Cgroup(group, (busy) -> {
				}));
			}
		}
		Cgroup.remove(directory);
	}

	private static void end(Cgroup group) {
		int ended = new ProcessTree(new CgroupTreeScan(group, List::of), Duration.ZERO).end();
		if (ended > 0) {
			logger.log(Level.WARNING, "Ended {0} processes of a JVM that was killed", ended);
		}
		group.close();
	}

}
