package io.kairo.sandbox.support;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.StringTokenizer;

import org.jspecify.annotations.Nullable;

/**
 * What {@code /proc/<pid>/stat} tells about a process, see proc_pid_stat(5).
 *
 * @param pid the process
 * @param parent its parent
 * @param group its process group
 * @param session its session
 * @param started when it was started, in clock ticks since the machine was
 * @param alive false for a zombie
 */
record ProcStat(long pid, long parent, long group, long session, long started, boolean alive) {

	private static final int MOST = 2048;

	/**
	 * Reads the state of a process.
	 * @return null if there is none
	 */
	static @Nullable ProcStat read(long pid) {
		try (InputStream file = new FileInputStream("/proc/" + pid + "/stat")) {
			return parse(pid, new String(file.readNBytes(MOST), StandardCharsets.ISO_8859_1));
		}
		catch (IOException | RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Parses a line. The name of the program, the second field, may contain blanks and
	 * parentheses.
	 */
	static ProcStat parse(long pid, String line) {
		StringTokenizer fields = new StringTokenizer(line.substring(line.lastIndexOf(')') + 1));
		String state = fields.nextToken();
		long parent = Long.parseLong(fields.nextToken());
		long group = Long.parseLong(fields.nextToken());
		long session = Long.parseLong(fields.nextToken());
		skip(fields, 13);
		long threads = Long.parseLong(fields.nextToken());
		skip(fields, 1);
		long started = Long.parseLong(fields.nextToken());
		// a zombie with more than one thread is a process whose first thread has ended
		boolean alive = state.equals("Z") ? threads > 1 : !state.equalsIgnoreCase("X");
		return new ProcStat(pid, parent, group, session, started, alive);
	}

	private static void skip(StringTokenizer fields, int count) {
		for (int i = 0; i < count; i++) {
			fields.nextToken();
		}
	}

}
