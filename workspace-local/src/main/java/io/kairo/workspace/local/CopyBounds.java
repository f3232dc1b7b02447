package io.kairo.workspace.local;

/**
 * How much may be copied from a directory at once. Immutable.
 *
 * @param files how many files, directories and links together, at least 0
 * @param bytes the sum of the sizes of the files, at least 0
 * @since 0.1.0
 */
public record CopyBounds(long files, long bytes) {

	/**
	 * Creates the value.
	 * @param files how many files, directories and links together, at least 0
	 * @param bytes the sum of the sizes of the files, at least 0
	 * @throws IllegalArgumentException if one of them is negative
	 */
	public CopyBounds {
		if (files < 0 || bytes < 0) {
			throw new IllegalArgumentException(
					"Bounds of " + bytes + " bytes in " + files + " files are negative: give 0 or more");
		}
	}

}
