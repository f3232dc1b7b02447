package io.kairo.sandbox.support.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * A process and all its descendants. Ends them with SIGTERM, and after a grace period
 * with SIGKILL, until two scans in a row are empty. For use by one thread at a time.
 */
public final class ProcessTree {

	private static final long DEADLINE_NANOS = 1_000_000_000L;

	private static final long SETTLE_NANOS = 20_000_000L;

	private static final long PAUSE_NANOS = 4_000_000L;

	private static final boolean LINUX = Files.isReadable(Path.of("/proc/self/stat"));

	private final TreeScan scan;

	private final long graceNanos;

	private volatile Duration endedCpuTime = Duration.ZERO;

	ProcessTree(TreeScan scan, Duration grace) {
		this.scan = scan;
		this.graceNanos = Deadlines.nanos(grace);
	}

	/**
	 * Creates the tree of a process that was started with a cookie in its environment.
	 * @param root the process
	 * @param ownSession whether the process leads a session
	 * @param cookie the cookie
	 * @param role the role of the process
	 * @param group the control group that it joins, or null
	 * @param grace the time between SIGTERM and SIGKILL
	 * @return the tree
	 */
	public static ProcessTree of(Process root, boolean ownSession, ProcCookie cookie, ProcessLauncher.Role role,
			@Nullable Cgroup group, Duration grace) {
		TreeScan scan = LINUX ? new ProcTreeScan(root, ownSession, cookie) : new DescendantTreeScan(root.toHandle());
		if (role == ProcessLauncher.Role.MONITOR) {
			scan = new MonitoredTreeScan(scan, root.toHandle());
		}
		if (root instanceof DomainProcess domain) {
			scan = new DomainTreeScan(domain, scan);
		}
		return new ProcessTree((group != null) ? new CgroupTreeScan(group, scan) : scan, grace);
	}

	/**
	 * Ends the leftovers of a tree whose root has ended. Waits a moment first, since a
	 * process closes its output slightly before it ends.
	 * @return number of leftover processes
	 */
	public int endLeftovers() {
		if (this.scan.isCertainlyEmpty()) {
			return 0;
		}
		long started = System.nanoTime();
		while (!this.scan.isEmpty()) {
			if (System.nanoTime() - started > SETTLE_NANOS) {
				return end();
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		this.scan.killUnseen();
		return 0;
	}

	/**
	 * Returns the CPU time that the members had used when they were last seen alive by
	 * {@link #end()}, including the processes that they had waited for.
	 * @return the time, at least; zero if there were none
	 */
	public Duration endedCpuTime() {
		return this.endedCpuTime;
	}

	private void measure(List<ProcessHandle> alive) {
		Duration seen = LiveCpuTime.of(alive);
		// members that end make the sum smaller
		if (seen.compareTo(this.endedCpuTime) > 0) {
			this.endedCpuTime = seen;
		}
	}

	/**
	 * Ends all live members. Returns when they have ended, at the latest a second after
	 * the first scan. A process that a member starts after SIGTERM, such as a program in
	 * a trap of a shell, ends with the member or by SIGKILL.
	 * @return number of processes that the first scan found
	 */
	public int end() {
		List<ProcessHandle> alive = this.scan.members();
		int found = alive.size();
		Set<ProcessHandle> asked = new HashSet<>();
		long started = System.nanoTime();
		int quiet = 0;
		while (true) {
			measure(alive);
			long elapsed = System.nanoTime() - started;
			quiet = alive.isEmpty() ? quiet + 1 : 0;
			if (quiet == 2 || elapsed > DEADLINE_NANOS) {
				this.scan.killUnseen();
				return found;
			}
			boolean force = elapsed >= this.graceNanos;
			if (force && !alive.isEmpty()) {
				this.scan.forceAll();
			}
			if (force) {
				parentsFirst(parents(alive.stream())).forEach(ProcessHandle::destroyForcibly);
			}
			else {
				ask(alive, asked);
			}
			if (!alive.isEmpty()) {
				LockSupport.parkNanos(PAUSE_NANOS);
			}
			alive = this.scan.members();
		}
	}

	/**
	 * Asks the members that have not been asked, except for the descendants of live
	 * members that were asked before.
	 */
	private void ask(List<ProcessHandle> alive, Set<ProcessHandle> asked) {
		Map<ProcessHandle, @Nullable ProcessHandle> parents = parents(
				alive.stream().filter((process) -> !asked.contains(process)));
		Set<ProcessHandle> left = new HashSet<>(asked);
		List<ProcessHandle> remaining = new ArrayList<>();
		for (ProcessHandle process : parentsFirst(parents)) {
			ProcessHandle parent = parents.get(process);
			boolean descendant = parent != null && left.contains(parent);
			(descendant ? left : remaining).add(process);
		}
		for (ProcessHandle process : remaining) {
			if (this.scan.ask(process)) {
				asked.add(process);
			}
		}
	}

	private static Map<ProcessHandle, @Nullable ProcessHandle> parents(Stream<ProcessHandle> processes) {
		Map<ProcessHandle, @Nullable ProcessHandle> parents = new LinkedHashMap<>();
		processes.forEach((process) -> parents.put(process, process.parent().orElse(null)));
		return parents;
	}

	/**
	 * Returns processes such that each comes before its children: a shell is signalled
	 * before a child whose end would let it continue with its next command. Neither ids
	 * nor start times tell, since ids wrap around within the resolution of start times.
	 */
	private static List<ProcessHandle> parentsFirst(Map<ProcessHandle, @Nullable ProcessHandle> parents) {
		List<ProcessHandle> ordered = new ArrayList<>();
		Set<ProcessHandle> seen = new HashSet<>();
		for (ProcessHandle process : parents.keySet()) {
			Deque<ProcessHandle> path = new ArrayDeque<>();
			ProcessHandle next = process;
			while (next != null && parents.containsKey(next) && seen.add(next)) {
				path.push(next);
				next = parents.get(next);
			}
			ordered.addAll(path);
		}
		return ordered;
	}

}
