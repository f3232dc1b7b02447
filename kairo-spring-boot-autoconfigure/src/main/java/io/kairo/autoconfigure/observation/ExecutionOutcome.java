package io.kairo.autoconfigure.observation;

import io.kairo.api.sandbox.SandboxExit;

/**
 * The outcomes of commands, as values of a tag.
 */
final class ExecutionOutcome {

	static final String REJECTED = "rejected";

	private ExecutionOutcome() {
	}

	static String of(SandboxExit exit) {
		if (exit.timedOut()) {
			return "timed_out";
		}
		if (SandboxExit.CANCELLED.equals(exit.signal())) {
			return "cancelled";
		}
		if (SandboxExit.NOT_RUN.equals(exit.signal())) {
			return "not_run";
		}
		return (exit.exitCode() == 0) ? "exited" : "failed";
	}

}
