package io.kairo.autoconfigure.mcp;

import java.util.Optional;
import java.util.function.Consumer;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentSessions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The sessions of an MCP endpoint of WebFlux: each can be used by the caller alone that
 * opened it, and ends with its tools, its calls and its event stream. Safe for use by
 * several threads.
 */
final class ReactiveMcpSessions {

	static final String HEADER = "Mcp-Session-Id";

	private static final Log logger = LogFactory.getLog(ReactiveMcpSessions.class);

	private final McpSessionOwners owners;

	private final ReactiveMcpStreams streams;

	private final McpSubscriptions subscriptions;

	private final McpCalls calls;

	private final AgentSessions sessions;

	private final ReactiveMcpThreads threads;

	private final RouterFunction<ServerResponse> endpoint;

	private final Consumer<String> forget;

	/**
	 * Creates the sessions.
	 * @param endpoint the endpoint, to end sessions
	 * @param forget removes an ended session from the transport
	 */
	ReactiveMcpSessions(McpSessionOwners owners, ReactiveMcpStreams streams, McpSubscriptions subscriptions,
			McpCalls calls, AgentSessions sessions, ReactiveMcpThreads threads, RouterFunction<ServerResponse> endpoint,
			Consumer<String> forget) {
		this.owners = owners;
		this.streams = streams;
		this.subscriptions = subscriptions;
		this.calls = calls;
		this.sessions = sessions;
		this.threads = threads;
		this.endpoint = endpoint;
		this.forget = forget;
	}

	ReactiveMcpStreams streams() {
		return this.streams;
	}

	boolean isOpen(String session) {
		return this.owners.isOpen(session);
	}

	/**
	 * Marks a session as used.
	 * @throws McpRefusedException if it is not a session of the caller
	 */
	void require(Optional<TenantContext> caller, String session) {
		if (!this.owners.use(caller, session)) {
			throw new McpRefusedException(HttpStatus.NOT_FOUND, "The session does not exist: initialize another one");
		}
	}

	/**
	 * Adds the session that a response opens, if it does.
	 */
	Mono<ServerResponse> open(ServerRequest request, ReactiveMcpCall call, Mono<ServerResponse> response) {
		return response.flatMap((opened) -> {
			String session = opened.headers().getFirst(HEADER);
			return (session == null) ? Mono.just(opened)
					: Flux.fromIterable(this.owners.opened(session, call.caller()))
						.concatMap((ended) -> evict(request, ended))
						.then(Mono.just(opened));
		});
	}

	/**
	 * Ends a session in place of its client. Only a request can end a session of the
	 * server.
	 */
	private Mono<Void> evict(ServerRequest request, McpSessionOwners.Session session) {
		ServerRequest delete = ServerRequest.from(request)
			.method(HttpMethod.DELETE)
			.headers((headers) -> headers.set(HEADER, session.id()))
			.build();
		return this.endpoint.route(delete).flatMap((handler) -> handler.handle(delete)).onErrorResume((ex) -> {
			logger.warn("An expired MCP session cannot be removed: " + ex);
			return Mono.empty();
		}).then(ended(Optional.ofNullable(session.owner()), session.id()));
	}

	/**
	 * Handles the request that ends a session.
	 */
	Mono<ServerResponse> delete(ServerRequest request, Optional<TenantContext> caller, String session,
			HandlerFunction<ServerResponse> next) {
		return next.handle(request)
			.flatMap((response) -> response.statusCode().is2xxSuccessful() ? ended(caller, session).thenReturn(response)
					: Mono.just(response));
	}

	private Mono<Void> ended(Optional<TenantContext> owner, String session) {
		return this.threads.run(() -> {
			this.owners.ended(session);
			this.forget.accept(session);
			this.streams.end(session);
			owner.ifPresent((tenant) -> {
				this.subscriptions.end(tenant, session);
				this.calls.cancelSession(tenant, session);
				this.sessions.end(tenant, session);
			});
			return null;
		});
	}

	/**
	 * Cancels the call that a message cancels. The SDK does not know this notification.
	 * @return whether the message is a cancellation
	 */
	boolean cancel(ReactiveMcpCall call, McpMessage message) {
		String session = call.session();
		if (session == null || !message.method().equals(McpMessage.CANCELLED)) {
			return false;
		}
		String requestId = message.requestId();
		if (requestId != null) {
			call.caller().ifPresent((tenant) -> this.calls.cancel(new McpCalls.Key(tenant, session, requestId)));
		}
		return true;
	}

}
