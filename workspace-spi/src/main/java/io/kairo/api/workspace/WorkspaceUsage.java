package io.kairo.api.workspace;

/**
 * The usage of a root against its quota. Immutable.
 *
 * @param bytes the sum of the sizes of the files
 * @param maxBytes the maximum sum of the sizes
 * @param files the number of files
 * @param maxFiles the maximum number of files
 */
public record WorkspaceUsage(long bytes, long maxBytes, long files, long maxFiles) {

	/**
	 * Returns whether the quota is exceeded.
	 * @return true if there are too many bytes or too many files
	 */
	public boolean exceeded() {
		return this.bytes > this.maxBytes || this.files > this.maxFiles;
	}

	/**
	 * Returns the used share of the bytes.
	 * @return 0 for none, 1 for all, more if the quota is exceeded
	 */
	public double bytesShare() {
		return share(this.bytes, this.maxBytes);
	}

	/**
	 * Returns the used share of the files.
	 * @return 0 for none, 1 for all, more if the quota is exceeded
	 */
	public double filesShare() {
		return share(this.files, this.maxFiles);
	}

	private static double share(long used, long max) {
		return (used == 0) ? 0 : (double) used / Math.max(1, max);
	}

}
