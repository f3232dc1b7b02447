package io.kairo.workspace.search;

/**
 * How many lines are wanted around each that matches. Immutable.
 *
 * @param before how many before it
 * @param after how many after it
 * @since 0.1.0
 */
public record LineContext(int before, int after) {

	/**
	 * The largest number of lines on each side.
	 */
	public static final int MAX = 1000;

	/**
	 * No lines around.
	 */
	public static final LineContext NONE = new LineContext(0, 0);

	/**
	 * Creates the value.
	 * @param before how many before it, at most {@link #MAX}
	 * @param after how many after it, at most {@link #MAX}
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public LineContext {
		if (before < 0 || after < 0 || before > MAX || after > MAX) {
			throw new IllegalArgumentException(
					"Context of " + before + " and " + after + " lines: give 0 to " + MAX + " on each side");
		}
	}

}
