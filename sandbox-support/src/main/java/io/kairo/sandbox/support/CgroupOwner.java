package io.kairo.sandbox.support;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JVM that a directory of control groups was made by.
 *
 * @param pid its process id
 * @param started when it was started, which tells it from another one with that id
 */
record CgroupOwner(long pid, long started) {

	private static final Logger logger = System.getLogger(CgroupOwner.class.getName());

	private static final Pattern NAME = Pattern.compile("kairo-(\\d{1,18})-(\\d{1,18})-[\\w-]+");

	static CgroupOwner ofThisJvm() {
		long pid = ProcessHandle.current().pid();
		ProcStat stat = ProcStat.read(pid);
		return new CgroupOwner(pid, (stat != null) ? stat.started() : 0);
	}

	String directoryName(String suffix) {
		return "kairo-" + this.pid + "-" + this.started + "-" + suffix;
	}

	boolean isAlive() {
		ProcStat stat = ProcStat.read(this.pid);
		return stat != null && stat.started() == this.started;
	}

	/**
	 * Removes the empty directories that JVMs have left which are not alive any more.
	 * What is not empty stays as it is.
	 * @param parent where they are
	 */
	static void removeAbandoned(Path parent) {
		try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, "kairo-*")) {
			for (Path directory : directories) {
				Matcher name = NAME.matcher(directory.getFileName().toString());
				if (name.matches()
						&& !new CgroupOwner(Long.parseLong(name.group(1)), Long.parseLong(name.group(2))).isAlive()) {
					remove(directory);
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.DEBUG, "Control groups that were left behind could not be looked for", ex);
		}
	}

	private static void remove(Path directory) throws IOException {
		try (DirectoryStream<Path> groups = Files.newDirectoryStream(directory, Files::isDirectory)) {
			groups.forEach(Cgroup::remove);
		}
		Cgroup.remove(directory);
	}

}
