package io.kairo.tools.file;

/**
 * The bounds of {@link WriteTool}. Immutable.
 *
 * @param maxBytes how long a file may be that is written
 * @param maxDiffLines how many lines of a difference are shown
 * @since 0.1.0
 */
public record WriteOptions(int maxBytes, int maxDiffLines) {

	/**
	 * Creates the value.
	 * @param maxBytes a number of bytes above zero
	 * @param maxDiffLines a number of lines above zero
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public WriteOptions {
		if (maxBytes <= 0) {
			throw new IllegalArgumentException("maxBytes is " + maxBytes + ": it must be above zero");
		}
		if (maxDiffLines <= 0) {
			throw new IllegalArgumentException("maxDiffLines is " + maxDiffLines + ": it must be above zero");
		}
	}

	/**
	 * Returns the defaults: 64 MiB, and 60 lines of a difference.
	 * @return the defaults
	 */
	public static WriteOptions defaults() {
		return new WriteOptions(64 << 20, 60);
	}

}
