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
 * Shows the commands that run and those that ended last, and cancels one. Neither the
 * text of a command nor its output is shown. Cancelling needs unrestricted access.
 *
 * @since 0.1.0
 */
@Endpoint(id = "kairoexecutions", defaultAccess = Access.READ_ONLY)
public class ExecutionsEndpoint {

	private final ExecutionLog log;

	ExecutionsEndpoint(ExecutionLog log) {
		this.log = log;
	}

	/**
	 * Returns the commands.
	 * @return those that run, the oldest first, and those that ended, the latest first
	 */
	@ReadOperation
	public Executions executions() {
		return new Executions(this.log.active(), this.log.recent());
	}

	/**
	 * Cancels a command.
	 * @param id its id
	 * @return what was done, or that no such command runs
	 */
	@DeleteOperation
	public WebEndpointResponse<Cancelled> cancel(@Selector long id) {
		return this.log.cancel(id) ? new WebEndpointResponse<>(new Cancelled(id))
				: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

	/**
	 * The commands.
	 *
	 * @param active those that run
	 * @param recent those that ended last
	 */
	public record Executions(List<ExecutionSummary> active, List<ExecutionSummary> recent) {

	}

	/**
	 * What a cancellation did.
	 *
	 * @param cancelled the id of the command that is being ended
	 */
	public record Cancelled(long cancelled) {

	}

}
