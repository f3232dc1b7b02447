package io.kairo.sandbox.support.process;

import java.io.File;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.LongStream;

import io.kairo.host.ProcStat;

/**
 * Processes as they were at one time, and the cookies in their environment. The cookies
 * are read on demand. Also contains threads whose id was asked for. Safe for use by
 * several threads.
 */
final class ProcTable {

	private final SortedMap<Long, ProcStat> processes;

	private final ConcurrentMap<Long, Set<String>> cookies;

	private ProcTable(SortedMap<Long, ProcStat> processes, ConcurrentMap<Long, Set<String>> cookies) {
		this.processes = processes;
		this.cookies = cookies;
	}

	/**
	 * Reads the processes with the given ids.
	 */
	static ProcTable read(LongStream pids) {
		SortedMap<Long, ProcStat> processes = new TreeMap<>();
		pids.forEach((pid) -> {
			ProcStat stat = ProcStat.read(pid);
			if (stat != null) {
				processes.put(pid, stat);
			}
		});
		return new ProcTable(processes, new ConcurrentHashMap<>());
	}

	/**
	 * Reads all processes.
	 */
	static ProcTable readAll() {
		String[] names = new File("/proc").list();
		return read((names != null)
				? Arrays.stream(names).filter((name) -> Character.isDigit(name.charAt(0))).mapToLong(Long::parseLong)
				: LongStream.empty());
	}

	/**
	 * Returns the part of this table from an id on. It shares the cookies with this
	 * table.
	 */
	ProcTable from(long pid) {
		return new ProcTable(this.processes.tailMap(pid), this.cookies);
	}

	/**
	 * Returns the processes by their ids, in ascending order. Not to be modified.
	 */
	Map<Long, ProcStat> processes() {
		return this.processes;
	}

	/**
	 * Returns whether the initial environment of a process has a cookie.
	 * @return false also for a process that has ended or belongs to another user
	 */
	boolean has(long pid, ProcCookie cookie) {
		return this.cookies.computeIfAbsent(pid, ProcCookie::values).contains(cookie.value());
	}

}
