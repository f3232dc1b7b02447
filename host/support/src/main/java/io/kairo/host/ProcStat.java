package io.kairo.host;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.StringTokenizer;

import org.jspecify.annotations.Nullable;

/**
 * The state of a process as of {@code /proc/<pid>/stat}, see proc_pid_stat(5).
 *
 * @param pid the process ID
 * @param parent the process ID of the parent
 * @param group the ID of the process group
 * @param session the ID of the session
 * @param started the start time, in clock ticks since the machine was booted
 * @param alive whether the process is running, as opposed to being a zombie
 */
public record ProcStat(long pid, long parent, long group, long session, long started, boolean alive) {

	private static final int MAX_BYTES = 2048;

	/**
	 * Reads the state of a process.
	 * @param pid the process ID
	 * @return the state, or null if there is no such process, its state cannot be read,
	 * or the operating system is not Linux
	 */
	public static @Nullable ProcStat read(long pid) {
		try (InputStream file = new FileInputStream("/proc/" + pid + "/stat")) {
			byte[] line = new byte[MAX_BYTES];
			// the kernel returns all of it at once
			int length = file.read(line);
			return parse(pid, new String(line, 0, length, StandardCharsets.ISO_8859_1));
		}
		catch (IOException | RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Parses a line. The second field, the name of the program, may contain blanks and
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
		// a zombie with more than one thread is a running process whose first thread has
		// ended
		boolean alive = state.equals("Z") ? threads > 1 : !state.equalsIgnoreCase("X");
		return new ProcStat(pid, parent, group, session, started, alive);
	}

	private static void skip(StringTokenizer fields, int count) {
		for (int i = 0; i < count; i++) {
			fields.nextToken();
		}
	}

}
