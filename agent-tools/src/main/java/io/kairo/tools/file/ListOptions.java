package io.kairo.tools.file;

import java.time.Duration;

import io.kairo.tools.CallDeadline;

/**
 * The bounds of {@link ListTool} and {@link ListFilesTool}. Immutable.
 *
 * @param depth the default number of levels, at least 1
 * @param limit the default maximum number of entries, at least 1
 * @param maxLimit the upper bound for a requested limit
 * @param deadline the timeout of a call, above zero
 */
public record ListOptions(int depth, int limit, int maxLimit, Duration deadline) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public ListOptions {
		CallDeadline.requirePositive(deadline);
		if (depth < 1) {
			throw new IllegalArgumentException("depth is " + depth + ": it must be at least 1");
		}
		if (limit < 1) {
			throw new IllegalArgumentException("limit is " + limit + ": it must be at least 1");
		}
		if (maxLimit < limit) {
			throw new IllegalArgumentException(
					"maxLimit is " + maxLimit + ": it must not be below the limit of " + limit);
		}
	}

	/**
	 * Creates the value with a timeout of 20 seconds.
	 * @param depth the default number of levels, at least 1
	 * @param limit the default maximum number of entries, at least 1
	 * @param maxLimit the upper bound for a requested limit, not below {@code limit}
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public ListOptions(int depth, int limit, int maxLimit) {
		this(depth, limit, maxLimit, CallDeadline.DEFAULT_TIMEOUT);
	}

	/**
	 * Returns the defaults: 1 level, 500 entries, at most 2,000, within 20 seconds.
	 * @return the defaults
	 */
	public static ListOptions defaults() {
		return new ListOptions(1, 500, 2000);
	}

}
