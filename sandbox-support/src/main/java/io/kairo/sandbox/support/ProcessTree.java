package io.kairo.sandbox.support;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A process and everything it started. Ends it all: first by asking (SIGTERM), after a
 * grace by force (SIGKILL), until two looks in a row find nothing. For use by one thread
 * at a time.
 */
final class ProcessTree {

	private static final long DEADLINE_NANOS = 1_000_000_000L;

	private static final long SETTLE_NANOS = 20_000_000L;

	private static final long PAUSE_NANOS = 4_000_000L;

	private final TreeScan scan;

	private final long graceNanos;

	ProcessTree(TreeScan scan, Duration grace) {
		this.scan = scan;
		this.graceNanos = Deadlines.nanos(grace);
	}

	/**
	 * Creates the tree of a process that was started with a cookie in its environment.
	 * @param ownSession whether the process leads a session
	 * @param role what the process is to the command
	 * @param group the control group that it joins, or null
	 */
	static ProcessTree of(Process root, boolean ownSession, ProcCookie cookie, ProcessLauncher.Role role,
			@Nullable Cgroup group, Duration grace) {
		boolean linux = Files.isReadable(Path.of("/proc/self/stat"));
		TreeScan scan = linux ? new ProcTreeScan(root, ownSession, cookie) : new DescendantTreeScan(root.toHandle());
		if (role == ProcessLauncher.Role.MONITOR) {
			scan = new MonitoredTreeScan(scan, root.toHandle());
		}
		return new ProcessTree((group != null) ? new CgroupTreeScan(group, scan) : scan, grace);
	}

	/**
	 * Ends what is left of a tree whose root has ended. What is about to be gone is given
	 * a moment: a process closes its output a little earlier than it ends.
	 * @return how many processes were left
	 */
	int endLeftovers() {
		long started = System.nanoTime();
		while (!this.scan.isEmpty()) {
			if (System.nanoTime() - started > SETTLE_NANOS) {
				return end();
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		return 0;
	}

	/**
	 * Ends what is alive. Returns when all is gone, at the latest a second after the
	 * first look.
	 * @return how many processes the first look found
	 */
	int end() {
		List<ProcessHandle> alive = this.scan.members();
		int found = alive.size();
		Set<ProcessHandle> asked = new HashSet<>();
		long started = System.nanoTime();
		int quiet = 0;
		while (true) {
			long elapsed = System.nanoTime() - started;
			quiet = alive.isEmpty() ? quiet + 1 : 0;
			if (quiet == 2 || elapsed > DEADLINE_NANOS) {
				return found;
			}
			boolean force = elapsed >= this.graceNanos;
			if (force && !alive.isEmpty()) {
				this.scan.forceAll();
			}
			for (ProcessHandle process : alive) {
				if (force) {
					process.destroyForcibly();
				}
				else if (asked.add(process)) {
					this.scan.ask(process);
				}
			}
			if (!alive.isEmpty()) {
				LockSupport.parkNanos(PAUSE_NANOS);
			}
			alive = this.scan.members();
		}
	}

}
