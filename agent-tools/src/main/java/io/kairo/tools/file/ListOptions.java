package io.kairo.tools.file;

/**
 * The bounds of {@link ListTool} and {@link ListFilesTool}. Immutable.
 *
 * @param depth the default number of levels
 * @param limit the default maximum number of entries
 * @param maxLimit the upper bound for a requested limit
 * @since 0.1.0
 */
public record ListOptions(int depth, int limit, int maxLimit) {

	/**
	 * Creates the value.
	 * @param depth the default number of levels, at least 1
	 * @param limit the default maximum number of entries, at least 1
	 * @param maxLimit the upper bound for a requested limit, not below {@code limit}
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public ListOptions {
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
	 * Returns the defaults: 1 level, 500 entries, at most 2,000.
	 * @return the defaults
	 */
	public static ListOptions defaults() {
		return new ListOptions(1, 500, 2000);
	}

}
