package io.kairo.sandbox.remote;

import io.kairo.sandbox.remote.protocol.ErrorMessage;

/**
 * Thrown for a request that the worker has refused.
 */
final class WorkerRefusedException extends Exception {

	private static final long serialVersionUID = 1L;

	private final transient ErrorMessage error;

	WorkerRefusedException(ErrorMessage error) {
		super(error.problem() + ": " + error.remedy());
		this.error = error;
	}

	ErrorMessage error() {
		return this.error;
	}

	/**
	 * Returns whether the worker does not know the command, so that it does not run.
	 */
	boolean isGone() {
		return this.error.code().equals(ErrorMessage.LEASE_ENDED)
				|| this.error.code().equals(ErrorMessage.COMMAND_GONE);
	}

}
