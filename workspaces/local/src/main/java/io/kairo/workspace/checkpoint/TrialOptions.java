package io.kairo.workspace.checkpoint;

import java.nio.file.Path;

import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of trials. Immutable.
 *
 * @param directory the directory of the copies, created with mode 0700 when it is first
 * needed; outside of every workspace
 * @param maxFiles maximum number of files, directories and links that are copied for a
 * trial
 * @param maxBytes maximum size in bytes of what is copied for a trial, and of a file that
 * is committed
 * @param maxPerTenant maximum number of trials of a tenant at a time
 * @param owner the user to whom the copies belong, null for the one of this process
 */
public record TrialOptions(Path directory, long maxFiles, long maxBytes, int maxPerTenant, @Nullable HostUser owner) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a bound is zero or below
	 */
	public TrialOptions {
		directory = directory.toAbsolutePath().normalize();
		CheckpointOptions.requirePositive("maxFiles", maxFiles);
		CheckpointOptions.requirePositive("maxBytes", maxBytes);
		CheckpointOptions.requirePositive("maxPerTenant", maxPerTenant);
	}

	/**
	 * Returns the defaults: 200,000 entries, 2 GiB, ten trials of a tenant, and the user
	 * of this process.
	 * @param directory the directory of the copies
	 * @return the defaults
	 */
	public static TrialOptions defaults(Path directory) {
		return new TrialOptions(directory, 200_000, 2L << 30, 10, null);
	}

}
