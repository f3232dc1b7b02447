package io.kairo.workspace.checkpoint;

import java.time.Duration;

/**
 * The bounds of checkpoints. Immutable.
 *
 * @param maxBytes maximum size in bytes of what is kept for a workspace
 * @param maxBytesPerTenant maximum size in bytes of what is kept for all workspaces of a
 * tenant
 * @param maxFileBytes maximum size in bytes of a file whose content is kept
 * @param maxFiles maximum number of entries of a workspace in which commands are recorded
 * @param maxAge the time that a step can be undone
 * @param maxWait the time that a command waits for the content of files to be kept; the
 * rest is read while it runs
 * @param auto whether a session is recorded from its start, not only from its first
 * checkpoint
 */
public record CheckpointOptions(long maxBytes, long maxBytesPerTenant, long maxFileBytes, int maxFiles, Duration maxAge,
		Duration maxWait, boolean auto) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a bound is zero or below
	 */
	public CheckpointOptions {
		requirePositive("maxBytes", maxBytes);
		requirePositive("maxBytesPerTenant", maxBytesPerTenant);
		requirePositive("maxFileBytes", maxFileBytes);
		requirePositive("maxFiles", maxFiles);
		requirePositive("maxAge", maxAge.toNanos());
		requirePositive("maxWait", maxWait.toNanos());
	}

	static void requirePositive(String name, long value) {
		if (value <= 0) {
			throw new IllegalArgumentException(name + " is " + value + ": it must be above zero");
		}
	}

	/**
	 * Returns the defaults: 512 MiB per workspace, 2 GiB per tenant, 16 MiB per file,
	 * 200,000 entries, seven days, one second, and recorded from the start.
	 * @return the defaults
	 */
	public static CheckpointOptions defaults() {
		return new CheckpointOptions(512L << 20, 2L << 30, 16L << 20, 200_000, Duration.ofDays(7),
				Duration.ofSeconds(1), true);
	}

}
