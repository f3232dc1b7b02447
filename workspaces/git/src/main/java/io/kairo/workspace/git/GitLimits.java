package io.kairo.workspace.git;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of the Git operations of a workspace. Immutable.
 *
 * @param timeout timeout of each fetch, checkout, commit or push, positive
 * @param maxStoreBytes maximum size of the objects of one remote, in bytes, positive
 * @param maxCheckoutBytes maximum size of the files of one checkout, in bytes, when it is
 * created and when it is compared or committed, positive
 * @param maxDiffBytes maximum size of a diff, in bytes; longer ones are truncated;
 * positive
 */
public record GitLimits(Duration timeout, long maxStoreBytes, long maxCheckoutBytes, int maxDiffBytes) {

	/**
	 * The default limits: 5 minutes, 4 GiB per store, 4 GiB per checkout, 1 MiB per diff.
	 */
	public static final GitLimits DEFAULTS = new GitLimits(Duration.ofMinutes(5), 4L << 30, 4L << 30, 1 << 20);

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is not positive
	 */
	public GitLimits {
		Objects.requireNonNull(timeout, "timeout");
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("timeout is " + timeout + ": it must be above zero");
		}
		requirePositive("maxStoreBytes", maxStoreBytes);
		requirePositive("maxCheckoutBytes", maxCheckoutBytes);
		requirePositive("maxDiffBytes", maxDiffBytes);
	}

	private static void requirePositive(String name, long value) {
		if (value <= 0) {
			throw new IllegalArgumentException(name + " is " + value + ": it must be above zero");
		}
	}

}
