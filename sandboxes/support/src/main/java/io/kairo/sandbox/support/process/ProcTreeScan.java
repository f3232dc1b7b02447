package io.kairo.sandbox.support.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.kairo.host.ProcStat;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.ProcessIds;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members of a process tree on Linux by session, process group, ancestors and a
 * cookie in the environment. Members found earlier stay members.
 */
final class ProcTreeScan implements TreeScan {

	private static final long SESSION_OF_JVM = session(ProcStat.read(ProcessHandle.current().pid()));

	/** The processes of the machine, the same for every caller. */
	private static final ProcTables TABLES = new ProcTables();

	private final Process root;

	private final boolean ownSession;

	private final ProcCookie cookie;

	private final ProcCandidates candidates;

	private final long rootStarted;

	/** Start times of the members, by id. */
	private final Map<Long, Long> known = new HashMap<>();

	/**
	 * Creates a scan.
	 * @param root the process that was started
	 * @param ownSession whether it leads a session; otherwise it has the session and
	 * group of the JVM. These are ignored
	 * @param cookie the cookie in its environment
	 */
	ProcTreeScan(Process root, boolean ownSession, ProcCookie cookie) {
		this.root = root;
		this.ownSession = ownSession;
		this.cookie = cookie;
		this.candidates = new ProcCandidates(root.pid());
		ProcStat stat = root.isAlive() ? ProcStat.read(root.pid()) : null;
		this.rootStarted = (stat != null) ? stat.started() : 0;
	}

	private static long session(@Nullable ProcStat jvm) {
		return (jvm != null) ? jvm.session() : -1;
	}

	@Override
	public List<ProcessHandle> members() {
		ProcTable table = this.candidates.read(TABLES);
		Map<Long, ProcStat> processes = processes(table);
		this.known.entrySet().removeIf((entry) -> !isAlive(processes.get(entry.getKey()), entry.getValue()));
		boolean session = this.ownSession && sessionIsOurs(processes);
		for (ProcStat process : processes.values()) {
			if (process.alive() && !isKnown(process) && belongs(process, session, table)) {
				this.known.put(process.pid(), process.started());
			}
		}
		addChildren(processes.values());
		return handles();
	}

	/**
	 * {@inheritDoc} That is the case if no process has an id that was assigned after that
	 * of the root.
	 */
	@Override
	public boolean isCertainlyEmpty() {
		return this.root instanceof NativeProcess && !this.root.isAlive()
				&& this.candidates.areFree((first, last) -> ProcessIds.areFree(NativeLinux.find(), first, last));
	}

	private Map<Long, ProcStat> processes(ProcTable table) {
		long self = ProcessHandle.current().pid();
		Map<Long, ProcStat> processes = new TreeMap<>();
		table.processes().forEach((pid, stat) -> {
			if (pid > 1 && pid != self) {
				put(processes, stat);
			}
		});
		this.known.keySet().forEach((pid) -> put(processes, ProcStat.read(pid)));
		return processes;
	}

	private void put(Map<Long, ProcStat> processes, @Nullable ProcStat stat) {
		if (stat != null && stat.started() >= this.rootStarted) {
			processes.put(stat.pid(), stat);
		}
	}

	/**
	 * Returns whether the session with the id of the root was created by the root. The
	 * kernel does not reuse the id while the session has a process. If the root has ended
	 * and a process has its id, the whole session has therefore ended.
	 */
	private boolean sessionIsOurs(Map<Long, ProcStat> processes) {
		return this.root.isAlive() || !processes.containsKey(this.root.pid());
	}

	private boolean isKnown(ProcStat process) {
		Long started = this.known.get(process.pid());
		return started != null && started == process.started();
	}

	private boolean belongs(ProcStat process, boolean session, ProcTable table) {
		long pid = this.root.pid();
		boolean inSession = session && (process.session() == pid || process.group() == pid);
		boolean tied = inSession || (process.pid() == pid && this.root.isAlive());
		return (tied || (!isInSessionOfJvm(process) && table.has(process.pid(), this.cookie)))
				&& isProcess(process.pid());
	}

	/**
	 * Returns whether a process can be skipped: a process that left the session of the
	 * JVM never returns to it. Avoids examining every thread of the JVM.
	 */
	private boolean isInSessionOfJvm(ProcStat process) {
		return this.ownSession && process.session() == SESSION_OF_JVM;
	}

	private void addChildren(Collection<ProcStat> processes) {
		boolean added = true;
		while (added) {
			added = false;
			for (ProcStat process : processes) {
				if (process.alive() && this.known.containsKey(process.parent()) && !isKnown(process)
						&& isProcess(process.pid())) {
					this.known.put(process.pid(), process.started());
					added = true;
				}
			}
		}
	}

	/**
	 * Returns whether an id belongs to a process: {@code /proc} also has entries for
	 * threads, although it does not list them.
	 */
	private static boolean isProcess(long pid) {
		try (BufferedReader status = Files.newBufferedReader(Path.of("/proc/" + pid + "/status"),
				StandardCharsets.ISO_8859_1)) {
			return status.lines().anyMatch((line) -> line.equals("Tgid:\t" + pid));
		}
		catch (IOException | RuntimeException ex) {
			return false;
		}
	}

	private static boolean isAlive(@Nullable ProcStat process, long started) {
		return process != null && process.alive() && process.started() == started;
	}

	/**
	 * Returns handles of the members. A handle does not signal a process with another
	 * start time than at its creation, so it suffices that the id still belongs to the
	 * member after the handle was created.
	 */
	private List<ProcessHandle> handles() {
		List<ProcessHandle> handles = new ArrayList<>();
		this.known.forEach((pid, started) -> {
			ProcessHandle handle = (pid == this.root.pid()) ? this.root.toHandle() : ProcessHandle.of(pid).orElse(null);
			if (handle != null && isAlive(ProcStat.read(pid), started)) {
				handles.add(handle);
			}
		});
		return handles;
	}

}
