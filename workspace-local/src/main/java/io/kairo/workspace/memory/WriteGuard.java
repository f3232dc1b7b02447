package io.kairo.workspace.memory;

import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WritePolicy;

/**
 * Checks every entry of a change against the write policy, ignoring case.
 */
record WriteGuard(WritePolicy policy) {

	/**
	 * Checks a path to be written, created or removed.
	 * @param path a canonical path
	 * @throws RefusedException if the policy forbids it
	 */
	void check(String path) throws RefusedException {
		requireWritable(path);
		if (isWithinOne(path, this.policy.protectedPaths())) {
			throw new RefusedException(WorkspaceErrorCode.PROTECTED_PATH, path,
					"is protected: leave it as it is and change something else");
		}
		if (!this.policy.allowedPrefixes().isEmpty() && !isWithinOne(path, this.policy.allowedPrefixes())) {
			throw new RefusedException(WorkspaceErrorCode.PROTECTED_PATH, path,
					"is outside of what may be written: write below "
							+ String.join(", ", this.policy.allowedPrefixes()));
		}
	}

	/**
	 * Checks that the workspace is writable.
	 * @param path a canonical path, for the message
	 * @throws RefusedException if the policy forbids it
	 */
	void requireWritable(String path) throws RefusedException {
		if (this.policy.readOnly()) {
			throw new RefusedException(WorkspaceErrorCode.READ_ONLY, path,
					"cannot be changed, as the workspace may only be read");
		}
	}

	private static boolean isWithinOne(String path, List<String> directories) {
		return directories.stream().anyMatch((directory) -> isWithin(path, directory));
	}

	/**
	 * Returns whether a path is a directory or below it, ignoring case.
	 */
	static boolean isWithin(String path, String directory) {
		return directory.isEmpty() || (path + "/").regionMatches(true, 0, directory + "/", 0, directory.length() + 1);
	}

}
