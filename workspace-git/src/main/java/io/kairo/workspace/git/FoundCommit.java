package io.kairo.workspace.git;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a ref stands for.
 *
 * @param id the commit
 * @param ref the full name of the ref, null for a commit by its id
 * @param staleSince when it was fetched, if the remote did not answer now; null otherwise
 */
record FoundCommit(String id, @Nullable String ref, @Nullable Instant staleSince) {

	/**
	 * Returns the name of the branch, null if it is none.
	 */
	@Nullable String branch() {
		return (this.ref != null && this.ref.startsWith("refs/heads/")) ? this.ref.substring("refs/heads/".length())
				: null;
	}

	FoundCommit stale(@Nullable Instant since) {
		return new FoundCommit(this.id, this.ref, since);
	}

}
