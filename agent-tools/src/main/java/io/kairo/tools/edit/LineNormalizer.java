package io.kairo.tools.edit;

import io.kairo.tools.text.LookAlikes;

/**
 * The removal of differences that a match level tolerates. Except for {@link #CONTENT},
 * the remaining characters keep their columns.
 */
enum LineNormalizer {

	/** Removes nothing. */
	IDENTITY,

	/** A carriage return at the end. */
	LINE_END,

	/** White space at the end. */
	TRAILING_SPACE,

	/** White space at the end, and characters that look alike. */
	LOOK_ALIKES,

	/** White space at both ends: a first filter only, since it changes columns. */
	CONTENT;

	String apply(String line) {
		return switch (this) {
			case IDENTITY -> line;
			case LINE_END -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
			case TRAILING_SPACE -> line.stripTrailing();
			case LOOK_ALIKES -> LookAlikes.fold(line).stripTrailing();
			case CONTENT -> line.strip();
		};
	}

	/**
	 * Normalizes the last line of a part. It has no line end.
	 */
	String applyToLast(String line) {
		return switch (this) {
			case IDENTITY, LINE_END -> line;
			case TRAILING_SPACE, CONTENT -> apply(line);
			case LOOK_ALIKES -> LookAlikes.fold(line);
		};
	}

}
