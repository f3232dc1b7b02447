package io.kairo.workspace.search;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of a search. Immutable.
 *
 * @param deadline maximum duration of a search, positive
 * @param maxFileSize maximum size of a searched file, in bytes; does not apply to a file
 * that the query names; positive
 * @param maxLineCharacters maximum number of characters of a line in the results; longer
 * lines are truncated around the match; at least 20
 */
public record SearchLimits(Duration deadline, long maxFileSize, int maxLineCharacters) {

	/**
	 * The default limits: 20 seconds, 64 MiB per file, 500 characters per line.
	 */
	public static final SearchLimits DEFAULTS = new SearchLimits(Duration.ofSeconds(20), 64L << 20, 500);

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public SearchLimits {
		Objects.requireNonNull(deadline, "deadline");
		if (deadline.isNegative() || deadline.isZero()) {
			throw new IllegalArgumentException("deadline is " + deadline + ": it must be above zero");
		}
		if (maxFileSize <= 0) {
			throw new IllegalArgumentException("maxFileSize is " + maxFileSize + ": it must be above zero");
		}
		if (maxLineCharacters < 20) {
			throw new IllegalArgumentException(
					"maxLineCharacters is " + maxLineCharacters + ": it must be at least 20");
		}
	}

	/**
	 * Returns these limits with another deadline.
	 * @param deadline maximum duration of a search, positive
	 * @return the limits
	 */
	public SearchLimits withDeadline(Duration deadline) {
		return new SearchLimits(deadline, this.maxFileSize, this.maxLineCharacters);
	}

}
