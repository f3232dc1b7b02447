package io.kairo.tools.search;

import java.util.Objects;

import io.kairo.workspace.search.SearchLimits;

/**
 * The bounds of {@link GrepTool}. Immutable.
 *
 * @param headLimit the default maximum number of lines or files, at least 1
 * @param maxHeadLimit the upper bound for a requested limit
 * @param maxCharacters the approximate maximum length of a result, at least 1000
 * @param limits the bounds of the search
 */
public record GrepOptions(int headLimit, int maxHeadLimit, int maxCharacters, SearchLimits limits) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public GrepOptions {
		Objects.requireNonNull(limits, "limits");
		if (headLimit < 1) {
			throw new IllegalArgumentException("headLimit is " + headLimit + ": it must be at least 1");
		}
		if (maxHeadLimit < headLimit) {
			throw new IllegalArgumentException(
					"maxHeadLimit is " + maxHeadLimit + ": it must not be below the headLimit of " + headLimit);
		}
		if (maxCharacters < 1000) {
			throw new IllegalArgumentException("maxCharacters is " + maxCharacters + ": it must be at least 1000");
		}
	}

	/**
	 * Returns the defaults: 250 lines or files, at most 5,000; 100,000 characters; 20
	 * seconds, files of 64 MiB, lines of 500 characters.
	 * @return the defaults
	 */
	public static GrepOptions defaults() {
		return new GrepOptions(250, 5000, 100_000, SearchLimits.DEFAULTS);
	}

}
