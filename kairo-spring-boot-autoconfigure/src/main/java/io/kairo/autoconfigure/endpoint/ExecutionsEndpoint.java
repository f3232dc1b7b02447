package io.kairo.autoconfigure.endpoint;

import java.util.List;

import io.kairo.autoconfigure.observation.ExecutionLog;
import io.kairo.autoconfigure.observation.ExecutionSummary;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@link Endpoint} for the running commands and the last completed ones, without their
 * text and output. Cancelling a command needs unrestricted access.
 */
@Endpoint(id = "kairoexecutions", defaultAccess = Access.READ_ONLY)
public class ExecutionsEndpoint {

	private final ExecutionLog log;

	ExecutionsEndpoint(ExecutionLog log) {
		this.log = log;
	}

	/**
	 * Returns the commands.
	 * @return the running commands, the oldest first, and the completed commands, the
	 * latest first
	 */
	@ReadOperation
	public Executions executions() {
		return new Executions(this.log.active(), this.log.recent());
	}

	/**
	 * Cancels a command.
	 * @param id the id of the command
	 * @return the id, or status 404 if no such command is running
	 */
	@DeleteOperation
	public WebEndpointResponse<Cancelled> cancel(@Selector long id) {
		return this.log.cancel(id) ? new WebEndpointResponse<>(new Cancelled(id))
				: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

	/**
	 * The commands.
	 *
	 * @param active the running commands
	 * @param recent the last completed commands
	 */
	public record Executions(List<ExecutionSummary> active, List<ExecutionSummary> recent) {

	}

	/**
	 * The result of a cancellation.
	 *
	 * @param cancelled the id of the command that is being terminated
	 */
	public record Cancelled(long cancelled) {

	}

}
