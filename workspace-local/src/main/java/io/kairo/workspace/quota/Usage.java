package io.kairo.workspace.quota;

/**
 * An amount of bytes in an amount of files, or the difference of two such amounts.
 *
 * @param bytes the sum of the sizes
 * @param files the number of files
 * @param tooDeep the number of directories that no walk goes into, so that what is in
 * them is not known
 */
record Usage(long bytes, long files, long tooDeep) {

	static final Usage NONE = new Usage(0, 0);

	/**
	 * Creates an amount of which all was counted.
	 */
	Usage(long bytes, long files) {
		this(bytes, files, 0);
	}

	Usage plus(Usage other) {
		return new Usage(this.bytes + other.bytes, this.files + other.files, this.tooDeep + other.tooDeep);
	}

	Usage minus(Usage other) {
		return new Usage(this.bytes - other.bytes, this.files - other.files);
	}

	/**
	 * Returns whether adding a growth goes beyond a quota, as it does where not all could
	 * be counted. What shrinks fits even when the quota is exceeded already.
	 */
	boolean exceeds(WorkspaceQuota quota, Usage growth) {
		return (growth.bytes > 0 && (this.tooDeep > 0 || this.bytes + growth.bytes > quota.bytes()))
				|| (growth.files > 0 && (this.tooDeep > 0 || this.files + growth.files > quota.files()));
	}

}
