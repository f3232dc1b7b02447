package io.kairo.autoconfigure.audit;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.kairo.governance.audit.AuditException;
import io.kairo.governance.audit.AuditLog;
import io.kairo.governance.audit.AuditSink;
import io.kairo.governance.audit.ChainHead;
import io.kairo.governance.audit.SinkState;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@link Endpoint} for the sinks of the audit and the verification of their records.
 * Shows no records.
 */
@Endpoint(id = "kairoaudit", defaultAccess = Access.READ_ONLY)
public class AuditEndpoint {

	private final AuditLog log;

	AuditEndpoint(AuditLog log) {
		this.log = log;
	}

	/**
	 * Returns the sinks.
	 * @return their states, and the heads of their chains
	 */
	@ReadOperation
	public Sinks sinks() {
		List<AuditSink> sinks = this.log.sinks();
		List<SinkState> states = this.log.states();
		return new Sinks(
				IntStream.range(0, sinks.size()).mapToObj((i) -> new Sink(states.get(i), head(sinks.get(i)))).toList());
	}

	private static @Nullable String head(AuditSink sink) {
		try {
			return sink.head().map(ChainHead::toString).orElse(null);
		}
		catch (AuditException ex) {
			return null; // the state says that the sink fails
		}
	}

	/**
	 * Verifies the records of a sink.
	 * @param sink the name of the sink
	 * @param head a head that the chain must contain, as {@link #sinks()} returned it
	 * before, or null
	 * @return the report, or status 404 if there is no such sink or it cannot read its
	 * records
	 */
	@ReadOperation
	public WebEndpointResponse<?> verify(@Selector String sink, @Nullable String head) {
		Optional<ChainHead> known = known(head);
		for (AuditSink candidate : this.log.sinks()) {
			if (candidate.name().equals(sink)) {
				try {
					return candidate.verify(known)
						.<WebEndpointResponse<?>>map(WebEndpointResponse::new)
						.orElseGet(AuditEndpoint::notFound);
				}
				catch (AuditException ex) {
					return new WebEndpointResponse<>(new Problem(String.valueOf(ex.getMessage())), 503);
				}
			}
		}
		return notFound();
	}

	private static WebEndpointResponse<?> notFound() {
		return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

	private static Optional<ChainHead> known(@Nullable String head) {
		try {
			return Optional.ofNullable(head).map(ChainHead::parse);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidEndpointRequestException(String.valueOf(ex.getMessage()), "The head is invalid");
		}
	}

	/**
	 * The sinks of the audit.
	 *
	 * @param sinks the sinks in their order
	 */
	public record Sinks(List<Sink> sinks) {

	}

	/**
	 * A sink of the audit.
	 *
	 * @param state the state of the sink
	 * @param head the head of its chain, to be kept elsewhere; null if there is none
	 */
	public record Sink(SinkState state, @Nullable String head) {

	}

	/**
	 * A problem.
	 *
	 * @param problem the reason why the records cannot be read
	 */
	public record Problem(String problem) {

	}

}
