package io.kairo.workspace.search;

/**
 * A line of a result. Immutable.
 *
 * @param number the number of the line in the file, from 1
 * @param kind the reason why the line is in the result
 * @param text the text without the line end, possibly truncated; may have control
 * characters
 * @param cutBytes the length of the whole line in bytes of its file if the text is
 * truncated, otherwise 0
 */
public record MatchedLine(long number, Kind kind, String text, int cutBytes) {

	/**
	 * The reason why a line is in a result.
	 */
	public enum Kind {

		/** The line matches. */
		MATCH,

		/** The line is context of a matching line. */
		CONTEXT

	}

}
