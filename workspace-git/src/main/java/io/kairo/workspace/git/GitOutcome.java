package io.kairo.workspace.git;

/**
 * How a process of git ended.
 *
 * @param code its exit code, {@link #TIMED_OUT} or {@link #STOPPED}
 * @param output the beginning of what it said
 */
record GitOutcome(int code, String output) {

	/** It was ended at its deadline. */
	static final int TIMED_OUT = -1;

	/** It was ended by its guard. */
	static final int STOPPED = -2;

	boolean isOk() {
		return this.code == 0;
	}

}
