package io.kairo.workspace.git;

import java.time.Duration;
import java.util.Objects;

/**
 * The bounds of what is done for a workspace. Immutable.
 *
 * @param timeout how long a fetch, a checkout or a push may take, each
 * @param maxStoreBytes how many bytes the objects of one remote may take up
 * @param maxCheckoutBytes how many bytes the files of one checkout may have, when it is
 * made and when it is compared or committed
 * @param maxDiffBytes where a difference is cut
 * @since 0.1.0
 */
public record GitLimits(Duration timeout, long maxStoreBytes, long maxCheckoutBytes, int maxDiffBytes) {

	/**
	 * 5 minutes, 4 GiB, 4 GiB, 1 MiB.
	 */
	public static final GitLimits DEFAULTS = new GitLimits(Duration.ofMinutes(5), 4L << 30, 4L << 30, 1 << 20);

	/**
	 * Creates the value.
	 * @param timeout how long a fetch, a checkout or a push may take, above zero
	 * @param maxStoreBytes bytes of the objects of a remote, above zero
	 * @param maxCheckoutBytes bytes of the files of a checkout, above zero
	 * @param maxDiffBytes bytes of a difference, above zero
	 * @throws IllegalArgumentException if one is not above zero
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
