package io.kairo.tools.file;

/**
 * The bounds of {@link WriteTool} and {@link WriteFileTool}. Immutable.
 *
 * @param maxBytes the maximum size, in bytes, of a file, above zero
 * @param maxDiffLines the maximum number of lines of a difference, above zero
 */
public record WriteOptions(int maxBytes, int maxDiffLines) {

	/**
	 * Creates the value.
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
