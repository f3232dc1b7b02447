package io.kairo.sandbox.support.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * Selects the processes to examine. Ids are assigned in ascending order, so that the
 * children of a command have greater ids than the command until the kernel wraps around.
 */
final class ProcCandidates {

	/** Probing one id takes about as long as listing a few. */
	private static final int PROBED = 128;

	/** The kernel needs longer to wrap around, even with only 32768 ids. */
	private static final long SHORT_NANOS = 2_000_000_000L;

	private final long root;

	private final LongSupplier newest;

	private final long startedNanos = System.nanoTime();

	ProcCandidates(long root) {
		this(root, ProcCandidates::newestPid);
	}

	/**
	 * Creates the selection.
	 * @param root the id of the command
	 * @param newest returns the id that was assigned last
	 */
	ProcCandidates(long root, LongSupplier newest) {
		this.root = root;
		this.newest = newest;
	}

	/**
	 * Returns whether no process has the id of the command, or an id assigned after it.
	 * @param test tells whether no process has an id of a range
	 */
	boolean areFree(BiPredicate<Long, Long> test) {
		long last = this.newest.getAsLong();
		return isRange(last) && test.test(this.root, last) && this.newest.getAsLong() == last;
	}

	/**
	 * Returns the processes to examine, and perhaps others, as they are after this call
	 * was made.
	 * @param tables reads them if there are many
	 */
	ProcTable read(ProcTables tables) {
		long last = this.newest.getAsLong();
		if (isRange(last)) {
			return ProcTable.read(LongStream.rangeClosed(this.root, last));
		}
		return isWrapped(last) ? tables.take() : tables.take().from(this.root);
	}

	/**
	 * Returns whether all later ids are a short range.
	 */
	private boolean isRange(long last) {
		return !isWrapped(last) && last - this.root < PROBED;
	}

	private boolean isWrapped(long last) {
		return last < this.root || System.nanoTime() - this.startedNanos > SHORT_NANOS;
	}

	/**
	 * Reads the last field of {@code /proc/loadavg}, see proc_loadavg(5).
	 * @return the id that was given out last in this PID namespace; 0 if it is not known
	 */
	private static long newestPid() {
		try (InputStream file = new FileInputStream("/proc/loadavg")) {
			byte[] bytes = new byte[256];
			String line = new String(bytes, 0, file.read(bytes), StandardCharsets.US_ASCII).trim();
			return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
		}
		catch (IOException | RuntimeException ex) {
			return 0;
		}
	}

}
