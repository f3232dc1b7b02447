package io.kairo.tools.trash;

import java.time.Duration;
import java.util.Objects;

/**
 * The bounds of a {@link TrashStore}. When one is reached, the oldest entries are dropped
 * first. Immutable.
 *
 * @param maxBytes maximum sum of the sizes of the files in the trash of a workspace,
 * above zero
 * @param maxBytesPerTenant maximum sum of the sizes of the files in the trash of all
 * workspaces of a tenant, above zero
 * @param maxFiles maximum number of files, directories and links in the trash of a
 * workspace, above zero
 * @param maxAge the maximum age of an entry before it is dropped, above zero
 */
public record TrashOptions(long maxBytes, long maxBytesPerTenant, long maxFiles, Duration maxAge) {

	/**
	 * Creates the options.
	 * @throws IllegalArgumentException if a value is not above zero
	 */
	public TrashOptions {
		requirePositive("maxBytes", maxBytes);
		requirePositive("maxBytesPerTenant", maxBytesPerTenant);
		requirePositive("maxFiles", maxFiles);
		if (Objects.requireNonNull(maxAge, "maxAge").isNegative() || maxAge.isZero()) {
			throw new IllegalArgumentException("maxAge is " + maxAge + ": it must be above zero");
		}
	}

	private static void requirePositive(String name, long value) {
		if (value <= 0) {
			throw new IllegalArgumentException(name + " is " + value + ": it must be above zero");
		}
	}

	/**
	 * Returns the defaults: 256 MiB and 100,000 files per workspace, 1 GiB per tenant,
	 * and a maximum age of seven days.
	 * @return the defaults
	 */
	public static TrashOptions defaults() {
		return new TrashOptions(256L << 20, 1L << 30, 100_000, Duration.ofDays(7));
	}

}
