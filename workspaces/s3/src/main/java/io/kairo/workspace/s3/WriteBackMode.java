package io.kairo.workspace.s3;

/**
 * The time of writing changes back to the bucket.
 */
public enum WriteBackMode {

	/** When the workspace is released, and whenever it is requested. */
	ON_RELEASE,

	/** Only when it is requested; other changes are discarded on release. */
	ON_DEMAND,

	/**
	 * After each change by a file tool and after each command, and on release. A change
	 * that cannot be written back is a failure although it is kept in the workspace.
	 */
	AT_ONCE

}
