package io.kairo.autoconfigure.observation;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxRequest;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of a command, {@code kairo.sandbox.executions}.
 *
 * @since 0.1.0
 */
public final class ExecutionObservationContext extends Observation.Context {

	static final String SESSION = "session.id";

	static final String EXIT_CODE = "exit.code";

	private final String backend;

	private final String tenant;

	private final SandboxRequest request;

	private volatile @Nullable SandboxExit exit;

	private volatile @Nullable String outcome;

	ExecutionObservationContext(String backend, String tenant, SandboxRequest request) {
		this.backend = backend;
		this.tenant = tenant;
		this.request = request;
	}

	/**
	 * Returns the sandbox that runs the command.
	 * @return the name of the backend
	 */
	public String backend() {
		return this.backend;
	}

	/**
	 * Returns the tenant as a value of a tag. The number of values is limited.
	 * @return the id of the tenant, or {@code other}
	 */
	public String tenant() {
		return this.tenant;
	}

	/**
	 * Returns the request, with the whole tenant.
	 * @return the request; its command and environment may be secret
	 */
	public SandboxRequest request() {
		return this.request;
	}

	/**
	 * Returns the end of the command.
	 * @return the exit; null while the command runs, and if it was not started
	 */
	public @Nullable SandboxExit exit() {
		return this.exit;
	}

	/**
	 * Returns the outcome as a value of a tag.
	 * @return the outcome; null while the command runs
	 */
	public @Nullable String outcome() {
		return this.outcome;
	}

	void ended(@Nullable SandboxExit exit, String outcome) {
		this.exit = exit;
		this.outcome = outcome;
	}

}
