package io.kairo.tools.command;

import java.time.Duration;
import java.util.Objects;

/**
 * The bounds of {@link BashTool}. Immutable.
 *
 * @param timeout the default timeout of a command, above zero
 * @param maxTimeout the upper bound for a requested timeout
 * @param maxOutputBytes the number of bytes that the sandbox keeps of the beginning of
 * the output, above zero
 * @param tailBytes the number of bytes that it also keeps of the end, at least 0
 * @param leaving the policy for commands that end outside of the workspace
 */
public record BashOptions(Duration timeout, Duration maxTimeout, long maxOutputBytes, long tailBytes,
		WorkingDirectoryPolicy leaving) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public BashOptions {
		Objects.requireNonNull(timeout, "timeout");
		Objects.requireNonNull(maxTimeout, "maxTimeout");
		Objects.requireNonNull(leaving, "leaving");
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("timeout is " + timeout + ": it must be above zero");
		}
		if (maxTimeout.compareTo(timeout) < 0) {
			throw new IllegalArgumentException(
					"maxTimeout is " + maxTimeout + ": it must not be below the timeout of " + timeout);
		}
		if (maxOutputBytes <= 0) {
			throw new IllegalArgumentException("maxOutputBytes is " + maxOutputBytes + ": it must be above zero");
		}
		if (tailBytes < 0) {
			throw new IllegalArgumentException("tailBytes is " + tailBytes + ": it must be at least 0");
		}
	}

	/**
	 * Creates the value with {@link WorkingDirectoryPolicy#RESETS}.
	 * @param timeout the default timeout, above zero
	 * @param maxTimeout the upper bound for a requested timeout, not below
	 * {@code timeout}
	 * @param maxOutputBytes a number of bytes above zero
	 * @param tailBytes a number of bytes, at least 0
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public BashOptions(Duration timeout, Duration maxTimeout, long maxOutputBytes, long tailBytes) {
		this(timeout, maxTimeout, maxOutputBytes, tailBytes, WorkingDirectoryPolicy.RESETS);
	}

	/**
	 * Returns the defaults: 2 minutes, at most 10; 32 MiB and 1 MiB of output.
	 * @return the defaults
	 */
	public static BashOptions defaults() {
		return new BashOptions(Duration.ofMinutes(2), Duration.ofMinutes(10), 32L << 20, 1L << 20);
	}

}
