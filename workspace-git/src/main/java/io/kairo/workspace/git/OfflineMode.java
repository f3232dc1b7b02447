package io.kairo.workspace.git;

/**
 * What happens when a remote does not answer.
 *
 * @since 0.1.0
 */
public enum OfflineMode {

	/** No workspace is made. */
	FAIL,

	/**
	 * The state of the last successful fetch is checked out, if there was one, and the
	 * workspace says so: {@code git.stale} is {@code true}, and {@code git.fetched} says
	 * when it was fetched. A remote that refuses is no such case.
	 */
	LAST_KNOWN

}
