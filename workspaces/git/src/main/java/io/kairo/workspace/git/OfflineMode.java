package io.kairo.workspace.git;

/**
 * The behaviour when a remote is unreachable.
 */
public enum OfflineMode {

	/** The acquire fails. */
	FAIL,

	/**
	 * The state of the last successful fetch is checked out, if there was one. The
	 * metadata of the workspace then has {@code git.stale} with {@code true} and
	 * {@code git.fetched} with the time of that fetch. A remote that refuses access still
	 * fails the acquire.
	 */
	LAST_KNOWN

}
