package io.kairo.tools.search;

import java.util.Objects;

import io.kairo.workspace.search.SearchLimits;

/**
 * The bounds of {@link GlobTool}. Immutable.
 *
 * @param limit the default maximum number of files, at least 1
 * @param maxLimit the upper bound for a requested limit
 * @param limits the bounds of the search
 */
public record GlobOptions(int limit, int maxLimit, SearchLimits limits) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public GlobOptions {
		Objects.requireNonNull(limits, "limits");
		if (limit < 1) {
			throw new IllegalArgumentException("limit is " + limit + ": it must be at least 1");
		}
		if (maxLimit < limit) {
			throw new IllegalArgumentException(
					"maxLimit is " + maxLimit + ": it must not be below the limit of " + limit);
		}
	}

	/**
	 * Returns the defaults: 100 files, at most 1,000; 20 seconds.
	 * @return the defaults
	 */
	public static GlobOptions defaults() {
		return new GlobOptions(100, 1000, SearchLimits.DEFAULTS);
	}

}
