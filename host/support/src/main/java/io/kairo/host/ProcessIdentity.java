package io.kairo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a process. It distinguishes the process from a later process with the
 * same ID and from the processes of other PID namespaces, such as other containers. Names
 * of files begin with it, so that another process can find out whether their owner has
 * ended. Immutable.
 *
 * @param namespace the number of the PID namespace, 0 if it is unknown
 * @param pid the process ID in that namespace
 * @param started the start time: on Linux in clock ticks since the machine was booted,
 * elsewhere in milliseconds since the epoch, 0 if it is unknown
 */
public record ProcessIdentity(long namespace, long pid, long started) {

	private static final Pattern NAME = Pattern.compile("(\\d{1,18})-(\\d{1,18})-(\\d{1,18})-.+");

	private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d{1,18})]");

	private static final Path PROC = Path.of("/proc");

	/**
	 * Returns the identity of this process.
	 * @return the identity
	 */
	public static ProcessIdentity current() {
		ProcessHandle process = ProcessHandle.current();
		ProcStat stat = ProcStat.read(process.pid());
		return new ProcessIdentity(currentNamespace(), process.pid(),
				(stat != null) ? stat.started() : startInstant(process));
	}

	/**
	 * Parses the identity at the beginning of a name.
	 * @param name a name that begins with a {@link #prefix()}
	 * @return the identity, or null if the name does not begin with one
	 */
	public static @Nullable ProcessIdentity ofName(String name) {
		Matcher matcher = NAME.matcher(name);
		return matcher.matches() ? new ProcessIdentity(Long.parseLong(matcher.group(1)),
				Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3))) : null;
	}

	/**
	 * Returns the beginning of the names of files that belong to the process.
	 * @return three numbers, each followed by a hyphen
	 */
	public String prefix() {
		return this.namespace + "-" + this.pid + "-" + this.started + "-";
	}

	/**
	 * Returns whether the process has certainly ended.
	 * @return false if the process is running, or if it belongs to another PID namespace
	 * and its state is therefore unknown
	 */
	public boolean hasEnded() {
		return isInThisNamespace() && !exists();
	}

	/**
	 * Returns whether the process is certainly running.
	 * @return false if the process has ended, or if it belongs to another PID namespace
	 * and its state is therefore unknown
	 */
	public boolean isRunning() {
		return isInThisNamespace() && exists();
	}

	private boolean isInThisNamespace() {
		return this.namespace == currentNamespace();
	}

	private boolean exists() {
		ProcStat stat = ProcStat.read(this.pid);
		if (stat != null) {
			return stat.alive() && isStart(stat.started());
		}
		if (Files.exists(PROC.resolve("self"))) {
			// the file may only have been unreadable, for lack of file descriptors
			return !Files.notExists(PROC.resolve(Long.toString(this.pid)));
		}
		return ProcessHandle.of(this.pid).filter((process) -> isStart(startInstant(process))).isPresent();
	}

	private boolean isStart(long time) {
		return this.started == 0 || time == 0 || time == this.started;
	}

	private static long startInstant(ProcessHandle process) {
		return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
	}

	private static long currentNamespace() {
		try {
			Matcher link = NAMESPACE.matcher(Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString());
			return link.matches() ? Long.parseLong(link.group(1)) : 0;
		}
		catch (IOException | UnsupportedOperationException ex) {
			return 0;
		}
	}

}
