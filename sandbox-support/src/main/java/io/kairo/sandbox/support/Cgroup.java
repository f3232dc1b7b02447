package io.kairo.sandbox.support;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.kairo.host.ProcStat;

/**
 * A control group for the processes of one command, see cgroups(7). What a member starts
 * is a member from its first moment on, whatever becomes of its parents, its session and
 * its environment. Made by {@link Cgroups}.
 *
 * @since 0.1.0
 */
public final class Cgroup implements AutoCloseable {

	private static final Logger logger = System.getLogger(Cgroup.class.getName());

	private static final long FREEZE_NANOS = 50_000_000L;

	private final Path directory;

	private final Path members;

	private final Path kill;

	private final Path freezer;

	private final Consumer<Cgroup> whenBusy;

	private final Set<ProcessHandle> signalled = new HashSet<>();

	/**
	 * Creates the description of a group and touches no file.
	 * @param whenBusy told about a group that is closed but not empty yet
	 */
	Cgroup(Path directory, Consumer<Cgroup> whenBusy) {
		this.whenBusy = whenBusy;
		this.directory = directory;
		this.members = directory.resolve("cgroup.procs");
		this.kill = directory.resolve("cgroup.kill");
		this.freezer = directory.resolve("freezer.state");
	}

	/**
	 * Returns the beginning of a shell script by which its shell becomes a member, or
	 * exits with 125.
	 * @return one line without its end
	 */
	public String prelude() {
		return "{ echo 0 >| " + PosixShell.quote(entrance().toString()) + "; } 2>/dev/null || { echo "
				+ "'kairo: the control group is gone, so the command was not run' >&2; exit 125; }; ";
	}

	/**
	 * Returns the arguments of a process that becomes a member and replaces itself by
	 * another one. Costs the start of a shell, half a millisecond, where a
	 * {@link #prelude()} costs next to nothing.
	 * @param arguments program and arguments of the other process
	 * @return program and arguments
	 */
	public List<String> arguments(List<String> arguments) {
		List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", prelude() + "exec \"$@\"", "kairo"));
		all.addAll(arguments);
		return all;
	}

	/**
	 * Removes the group: now, or if it is not empty yet, later.
	 */
	@Override
	public void close() {
		if (!remove()) {
			this.whenBusy.accept(this);
		}
	}

	Path directory() {
		return this.directory;
	}

	/**
	 * Returns the members. Only ids that are listed before and after a handle was made
	 * count, so that no handle is of another process that got the same id.
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
	 * Returns whether the group is one of version 2.
	 */
	boolean isUnified() {
		return Files.exists(this.directory.resolve("cgroup.type"));
	}

	/**
	 * Returns whether nothing is alive in the group.
	 */
	boolean isEmpty() {
		return processes().isEmpty();
	}

	/**
	 * Ends all members at once where the kernel offers it, as Linux 5.14 does in version
	 * 2. In a freezer they are stopped, signalled and let go, so that none of them starts
	 * another one in between; those that were are left alone, since they need to run to
	 * end. Elsewhere this does nothing. For use by one thread at a time.
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
	 * Signals the members until all that were there when the last of them had stopped
	 * have been. One that cannot be stopped is not waited for any longer.
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
	 * @return false if there is something in it
	 */
	boolean remove() {
		return remove(this.directory);
	}

	/**
	 * Removes the directory of a group. What is in it goes with it: those are no files.
	 * @return false if a process or another group is in it
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
	 * Returns whether a process is alive and no zombie.
	 */
	static boolean isAlive(long pid) {
		ProcStat stat = ProcStat.read(pid);
		return stat != null && stat.alive();
	}

	/**
	 * Returns the file by which a process with a single thread joins. In version 1 that
	 * moves a thread; to move a process the kernel waits for all processors (a grace
	 * period of RCU), ten milliseconds unless it has just done so.
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
			logger.log(Level.TRACE, "A control group cannot be told", ex);
			return false;
		}
	}

	/**
	 * Returns the ids of the members; 0 stands for one that cannot be seen from here.
	 */
	private Set<Long> pids() {
		Set<Long> pids = new HashSet<>();
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
