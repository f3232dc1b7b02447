package io.kairo.workspace.search;

import java.time.Duration;
import java.util.Objects;

/**
 * The bounds of a search. Immutable.
 *
 * @param deadline how long it may take
 * @param maxFileSize larger files are passed over unless they are named; in bytes
 * @param maxLineCharacters longer lines are cut in results, around the match
 * @since 0.1.0
 */
public record SearchLimits(Duration deadline, long maxFileSize, int maxLineCharacters) {

	/**
	 * 20 seconds, 64 MiB, 500 characters.
	 */
	public static final SearchLimits DEFAULTS = new SearchLimits(Duration.ofSeconds(20), 64L << 20, 500);

	/**
	 * Creates the value.
	 * @param deadline how long a search may take, above zero
	 * @param maxFileSize a number of bytes above zero
	 * @param maxLineCharacters a number of characters, at least 20
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
	 * @param deadline how long a search may take, above zero
	 * @return the limits
	 */
	public SearchLimits withDeadline(Duration deadline) {
		return new SearchLimits(deadline, this.maxFileSize, this.maxLineCharacters);
	}

}
