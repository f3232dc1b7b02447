package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.StringTokenizer;

/**
 * The CPU time of live processes and the processes that they have waited for, as of
 * {@code /proc/<pid>/stat}, see proc_pid_stat(5).
 */
final class LiveCpuTime {

	/** The unit of the times in the file, the same on every architecture. */
	private static final Duration TICK = Duration.ofMillis(10);

	/** The number of fields between the name of the program and the times. */
	private static final int FIELDS_BEFORE = 11;

	private static final int TIMES = 4;

	private LiveCpuTime() {
	}

	/**
	 * Returns the sum over processes. None of them is counted twice, even if one is the
	 * parent of another.
	 */
	static Duration of(Collection<ProcessHandle> processes) {
		return TICK.multipliedBy(processes.stream().mapToLong((process) -> ticks(process.pid())).sum());
	}

	private static long ticks(long pid) {
		try {
			return parse(Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1));
		}
		catch (IOException | RuntimeException ex) {
			// it has ended
			return 0;
		}
	}

	static long parse(String line) {
		StringTokenizer fields = new StringTokenizer(line.substring(line.lastIndexOf(')') + 1));
		for (int i = 0; i < FIELDS_BEFORE; i++) {
			fields.nextToken();
		}
		long sum = 0;
		for (int i = 0; i < TIMES; i++) {
			sum += Long.parseLong(fields.nextToken());
		}
		return sum;
	}

}
