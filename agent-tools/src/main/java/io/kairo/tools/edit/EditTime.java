package io.kairo.tools.edit;

import io.kairo.tools.CallDeadline;

/**
 * The time that an edit may take. The steps of the search check it now and then. For use
 * by one thread.
 */
final class EditTime {

	private static final int OFTEN = (1 << 12) - 1;

	private final CallDeadline deadline;

	private int steps;

	EditTime(CallDeadline deadline) {
		this.deadline = deadline;
	}

	/**
	 * Counts a step, such as a line.
	 * @throws OverException if the edit has to end
	 */
	void step() {
		if ((++this.steps & OFTEN) == 0 && this.deadline.isOver()) {
			throw new OverException();
		}
	}

	/**
	 * Checks the time, between the edits of a call.
	 * @throws OverException if the edit has to end
	 */
	void check() {
		if (this.deadline.isOver()) {
			throw new OverException();
		}
	}

	/**
	 * Thrown to leave a search in progress.
	 */
	static final class OverException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		OverException() {
			super("The edit is over", null, false, false);
		}

	}

}
