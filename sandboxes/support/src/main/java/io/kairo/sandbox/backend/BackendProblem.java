package io.kairo.sandbox.backend;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

/**
 * A problem that prevents the use of a backend on this machine.
 *
 * @param backend the backend as it appears in a sentence, such as {@code Docker}
 * @param code the kind of problem in health and logs, such as {@code image_missing}
 * @param finding the finding
 * @param remedy an instruction without a period
 * @param temporary whether the problem may end without a change of the configuration, so
 * that an application can start with the sandbox, and commands fail until then
 */
public record BackendProblem(String backend, String code, String finding, String remedy, boolean temporary) {

	/**
	 * Creates a problem that is not temporary.
	 * @param backend the backend
	 * @param code the kind of problem
	 * @param finding the finding
	 * @param remedy an instruction without a period
	 */
	public BackendProblem(String backend, String code, String finding, String remedy) {
		this(backend, code, finding, remedy, false);
	}

	/**
	 * Returns the exception for a command that cannot be started because of this problem.
	 * @return an exception that contains the remedy
	 */
	public SandboxException toException() {
		return new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE,
				this.backend + " cannot be used (" + this + ")", this.remedy);
	}

	@Override
	public String toString() {
		return this.code + ": " + this.finding;
	}

}
