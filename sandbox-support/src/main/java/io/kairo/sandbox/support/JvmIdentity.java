package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A JVM as the names of its directories tell it, so that another one can see whether what
 * they hold was left behind.
 *
 * @param namespace the PID namespace that the id is valid in; 0 where there are none
 * @param pid its process id
 * @param started when it was started, which tells it from another one with that id; 0
 * where that is not known
 */
record JvmIdentity(long namespace, long pid, long started) {

	private static final Pattern NAME = Pattern.compile("kairo-(\\d{1,18})-(\\d{1,18})-(\\d{1,18})-[\\w-]+");

	private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d{1,18})]");

	static JvmIdentity ofThisJvm() {
		long pid = ProcessHandle.current().pid();
		ProcStat stat = ProcStat.read(pid);
		return new JvmIdentity(ownNamespace(), pid, (stat != null) ? stat.started() : 0);
	}

	/**
	 * Reads a name that {@link #directoryName(String)} made.
	 * @return null if it is another name
	 */
	static @Nullable JvmIdentity ofDirectory(Path directory) {
		Matcher name = NAME.matcher(String.valueOf(directory.getFileName()));
		return name.matches() ? new JvmIdentity(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)),
				Long.parseLong(name.group(3))) : null;
	}

	String directoryName(String suffix) {
		return "kairo-" + this.namespace + "-" + this.pid + "-" + this.started + "-" + suffix;
	}

	/**
	 * Returns whether the JVM has ended for certain. Of one in another PID namespace that
	 * is not known.
	 */
	boolean isDead() {
		if (this.namespace != ownNamespace()) {
			return false;
		}
		ProcStat stat = ProcStat.read(this.pid);
		if (stat == null) {
			return ProcessHandle.of(this.pid).isEmpty();
		}
		return !stat.alive() || (this.started != 0 && stat.started() != this.started);
	}

	private static long ownNamespace() {
		try {
			Matcher link = NAMESPACE.matcher(Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString());
			return link.matches() ? Long.parseLong(link.group(1)) : 0;
		}
		catch (IOException | UnsupportedOperationException ex) {
			return 0;
		}
	}

}
