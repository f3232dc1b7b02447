package io.kairo.workspace.quota;

/**
 * An amount of bytes in an amount of files, or the difference of two such amounts.
 */
record Usage(long bytes, long files) {

	static final Usage NONE = new Usage(0, 0);

	Usage plus(Usage other) {
		return new Usage(this.bytes + other.bytes, this.files + other.files);
	}

	Usage minus(Usage other) {
		return new Usage(this.bytes - other.bytes, this.files - other.files);
	}

	/**
	 * Returns whether adding a growth goes beyond a quota. What shrinks fits even when
	 * the quota is exceeded already.
	 */
	boolean exceeds(WorkspaceQuota quota, Usage growth) {
		return (growth.bytes > 0 && this.bytes + growth.bytes > quota.bytes())
				|| (growth.files > 0 && this.files + growth.files > quota.files());
	}

}
