package io.kairo.workspace.search;

/**
 * A line of a result. Immutable.
 *
 * @param number its number in the file, from 1
 * @param kind why it is in the result
 * @param text its text without the line end, possibly a part of it; may have control
 * characters
 * @param cutBytes the length of the whole line in bytes of its file if the text is only a
 * part of it, else 0
 * @since 0.1.0
 */
public record MatchedLine(long number, Kind kind, String text, int cutBytes) {

	/**
	 * Why a line is in a result.
	 */
	public enum Kind {

		/** It matches. */
		MATCH,

		/** It is near one that matches. */
		CONTEXT

	}

}
