package io.kairo.workspace.git;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The commit of a ref.
 *
 * @param id the id of the commit
 * @param ref the full name of the ref, or null for a commit found by its id
 * @param staleSince the time of the last fetch if the remote is unreachable; null
 * otherwise
 */
record FoundCommit(String id, @Nullable String ref, @Nullable Instant staleSince) {

	/**
	 * Returns the name of the branch, or null if the ref is not a branch.
	 */
	@Nullable String branch() {
		return (this.ref != null && this.ref.startsWith("refs/heads/")) ? this.ref.substring("refs/heads/".length())
				: null;
	}

	FoundCommit stale(@Nullable Instant since) {
		return new FoundCommit(this.id, this.ref, since);
	}

}
