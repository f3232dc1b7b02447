package io.kairo.workspace.quota;

import io.kairo.api.workspace.WorkspaceUsage;

/**
 * A limit for the regular files below one root. Directories and the overhead of the file
 * system do not count. Immutable.
 *
 * @param bytes maximum sum of the sizes, at least 0
 * @param files maximum number of files, at least 0
 */
public record WorkspaceQuota(long bytes, long files) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if one of them is negative
	 */
	public WorkspaceQuota {
		if (bytes < 0 || files < 0) {
			throw new IllegalArgumentException(
					"A quota of " + bytes + " bytes in " + files + " files is negative: give 0 or more");
		}
	}

	/**
	 * Returns a usage together with this quota. An incomplete count exceeds the quota.
	 */
	WorkspaceUsage usage(Usage usage) {
		long used = (usage.tooDeep() > 0) ? Math.max(usage.bytes(), Math.min(this.bytes, Long.MAX_VALUE - 1) + 1)
				: usage.bytes();
		return new WorkspaceUsage(used, this.bytes, usage.files(), this.files);
	}

}
