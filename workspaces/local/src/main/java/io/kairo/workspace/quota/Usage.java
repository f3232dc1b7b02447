package io.kairo.workspace.quota;

/**
 * A number of bytes in a number of files, or the difference of two such amounts.
 *
 * @param bytes the sum of the sizes
 * @param files the number of files
 * @param tooDeep the number of directories that are too deep for a walk, whose content is
 * unknown
 */
record Usage(long bytes, long files, long tooDeep) {

	static final Usage NONE = new Usage(0, 0);

	/**
	 * Creates an amount that was counted completely.
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
	 * Returns whether adding a growth exceeds a quota, always true if the count is
	 * incomplete. A negative growth fits even if the quota is exceeded already.
	 */
	boolean exceeds(WorkspaceQuota quota, Usage growth) {
		return (growth.bytes > 0 && (this.tooDeep > 0 || this.bytes + growth.bytes > quota.bytes()))
				|| (growth.files > 0 && (this.tooDeep > 0 || this.files + growth.files > quota.files()));
	}

}
