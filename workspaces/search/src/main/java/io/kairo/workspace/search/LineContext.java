package io.kairo.workspace.search;

/**
 * The number of context lines around each matching line. Immutable.
 *
 * @param before the number of lines before it, at most {@link #MAX}
 * @param after the number of lines after it, at most {@link #MAX}
 */
public record LineContext(int before, int after) {

	/**
	 * Maximum number of lines on each side.
	 */
	public static final int MAX = 1000;

	/**
	 * No context lines.
	 */
	public static final LineContext NONE = new LineContext(0, 0);

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public LineContext {
		if (before < 0 || after < 0 || before > MAX || after > MAX) {
			throw new IllegalArgumentException(
					"Context of " + before + " and " + after + " lines: give 0 to " + MAX + " on each side");
		}
	}

}
