package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kairo.host.ProcStat;

/**
 * A control group for the processes of one command, see cgroups(7). A child of a member
 * is a member from the start, even if it changes its parent, its session or its
 * environment. Created by {@link Cgroups}.
 */
public final class Cgroup implements AutoCloseable {

	private static final Logger logger = System.getLogger(Cgroup.class.getName());

	private static final String USAGE = "usage_usec ";

	private static final long FREEZE_NANOS = 50_000_000L;

	private final Path directory;

	private final Path members;

	private final Path kill;

	private final Path freezer;

	private final Consumer<Cgroup> whenBusy;

	private final Set<ProcessHandle> signalled = new HashSet<>();

	/**
	 * Creates the description of a group without touching a file.
	 * @param whenBusy receives the group if it is not empty yet when it is closed
	 */
	Cgroup(Path directory, Consumer<Cgroup> whenBusy) {
		this.whenBusy = whenBusy;
		this.directory = directory;
		this.members = directory.resolve("cgroup.procs");
		this.kill = directory.resolve("cgroup.kill");
		this.freezer = directory.resolve("freezer.state");
	}

	/**
	 * Returns the start of a shell script that makes the shell a member, or exits with
	 * 125.
	 * @return one line without a line terminator
	 */
	public String prelude() {
		return "{ echo 0 >| " + ShellWord.quote(entrance().toString()) + "; } 2>/dev/null || { echo "
				+ "'kairo: the control group is gone, so the command was not run' >&2; exit 125; }; ";
	}

	/**
	 * Removes the group: now, or later if it is not empty yet.
	 */
	@Override
	public void close() {
		if (!remove()) {
			this.whenBusy.accept(this);
		}
	}

	/**
	 * Returns the directory of the group.
	 * @return an absolute path
	 */
	public Path directory() {
		return this.directory;
	}

	/**
	 * Returns the members. Only ids that are listed both before and after the handle is
	 * created count, so that no handle belongs to another process that reuses the id.
	 */
	List<ProcessHandle> processes() {
		List<ProcessHandle> handles = new ArrayList<>();
		Set<Long> listed = pids();
		if (listed.isEmpty()) {
			return handles;
		}
		listed.forEach((pid) -> ProcessHandle.of(pid).ifPresent(handles::add));
		Set<Long> still = pids();
		handles.removeIf((handle) -> !still.contains(handle.pid()) || !isAlive(handle.pid()));
		return handles;
	}

	/**
	 * Returns whether the group belongs to version 2 of control groups.
	 * @return false for version 1
	 */
	public boolean isUnified() {
		return Files.exists(this.directory.resolve("cgroup.type"));
	}

	/**
	 * Returns the CPU time of all processes that are members or were, including those
	 * that have ended.
	 * @return the time in user and in kernel mode; empty if the kernel does not account
	 * for it here
	 */
	public Optional<Duration> cpuTime() {
		return cpuTime(this.directory);
	}

	/**
	 * Returns the CPU time of a group: {@code cpu.stat} in version 2, and
	 * {@code cpuacct.usage} in the hierarchy of version 1 that has it.
	 */
	static Optional<Duration> cpuTime(Path directory) {
		try {
			Path version1 = directory.resolve("cpuacct.usage");
			if (Files.exists(version1)) {
				return Optional.of(Duration.ofNanos(Long.parseLong(Files.readString(version1).trim())));
			}
			try (Stream<String> lines = Files.lines(directory.resolve("cpu.stat"), StandardCharsets.US_ASCII)) {
				return lines.filter((line) -> line.startsWith(USAGE))
					.findFirst()
					.map((line) -> Duration.of(Long.parseLong(line.substring(USAGE.length()).trim()),
							ChronoUnit.MICROS));
			}
		}
		catch (IOException | UncheckedIOException | NumberFormatException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Returns whether the group has no live process.
	 */
	boolean isEmpty() {
		return processes().isEmpty();
	}

	/**
	 * Kills all members at once if the kernel supports it: Linux 5.14 or newer in version
	 * 2. The members of a freezer are frozen, signalled and thawed, so that none can
	 * start another process in between; those already signalled are not frozen again,
	 * since they have to run to end. Otherwise does nothing. For use by one thread at a
	 * time.
	 */
	void kill() {
		if (!write(this.kill, "1") && !this.signalled.containsAll(processes()) && write(this.freezer, "FROZEN")) {
			try {
				killFrozen();
			}
			finally {
				write(this.freezer, "THAWED");
			}
		}
	}

	/**
	 * Signals the members until all members that existed when the group was frozen have
	 * been signalled. Stops waiting for a member that cannot be frozen after a timeout.
	 */
	private void killFrozen() {
		long deadline = System.nanoTime() + FREEZE_NANOS;
		boolean last = false;
		while (!last) {
			last = isFrozen() || System.nanoTime() > deadline;
			List<ProcessHandle> stopped = processes();
			stopped.forEach(ProcessHandle::destroyForcibly);
			this.signalled.addAll(stopped);
		}
	}

	private boolean isFrozen() {
		try {
			return Files.readString(this.freezer).startsWith("FROZEN");
		}
		catch (IOException ex) {
			return true;
		}
	}

	/**
	 * Removes the group.
	 * @return false if it is not empty
	 */
	boolean remove() {
		return remove(this.directory);
	}

	/**
	 * Removes the directory of a group. Its entries are not files and need not be
	 * deleted.
	 * @return false if it contains a process or another group
	 */
	static boolean remove(Path directory) {
		try {
			Files.deleteIfExists(directory);
			return true;
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "A control group cannot be removed yet", ex);
			return false;
		}
	}

	/**
	 * Returns whether a process is alive and not a zombie.
	 */
	static boolean isAlive(long pid) {
		ProcStat stat = ProcStat.read(pid);
		return stat != null && stat.alive();
	}

	/**
	 * Returns the file that lets a process with a single thread join. In version 1 it
	 * moves a thread: to move a process, the kernel waits for all processors (an RCU
	 * grace period), about ten milliseconds unless one has just passed.
	 */
	private Path entrance() {
		Path threads = this.directory.resolve("tasks");
		return Files.exists(threads) ? threads : this.members;
	}

	private static boolean write(Path file, String value) {
		try {
			Files.writeString(file, value, StandardOpenOption.WRITE);
			return true;
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "A control group cannot be written to", ex);
			return false;
		}
	}

	/**
	 * Returns the ids of the members. The id 0, of a process that is not visible here, is
	 * left out.
	 */
	private Set<Long> pids() {
		Set<Long> pids = new TreeSet<>();
		try {
			for (String line : Files.readAllLines(this.members)) {
				pids.add(Long.parseLong(line));
			}
		}
		catch (IOException | NumberFormatException ex) {
			logger.log(Level.TRACE, "A control group cannot be read", ex);
		}
		pids.remove(0L);
		return pids;
	}

}
