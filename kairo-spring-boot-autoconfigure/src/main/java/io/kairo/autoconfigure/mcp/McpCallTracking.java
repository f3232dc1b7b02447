package io.kairo.autoconfigure.mcp;

import java.util.Optional;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentSessions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Connects requests of MCP clients with calls: publishes the id of a request for its
 * call, cancels the call when the client cancels the request, ends a session with its
 * tools and its event stream, and restricts the use of a session to the caller that
 * opened it, since the SDK serves every caller that knows its id. Comes after
 * {@link McpRequestFilter}.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/cancellation">Cancellation</a>
 */
final class McpCallTracking implements HandlerFilterFunction<ServerResponse, ServerResponse> {

	static final String SESSION = McpCallTracking.class.getName() + ".session";

	private static final Log logger = LogFactory.getLog(McpCallTracking.class);

	private final McpCalls calls;

	private final AgentSessions sessions;

	private final Supplier<Optional<TenantContext>> caller;

	private final McpSessionOwners owners;

	private final McpStreams streams;

	private final McpSubscriptions subscriptions;

	private final RouterFunction<ServerResponse> endpoint;

	/**
	 * Creates the filter.
	 * @param caller supplies the caller, empty if a tenant is required and there is none:
	 * the tool rejects such a call, not the protocol
	 * @param endpoint the endpoint, to end sessions
	 */
	McpCallTracking(McpCalls calls, AgentSessions sessions, Supplier<Optional<TenantContext>> caller,
			McpSessionOwners owners, McpStreams streams, McpSubscriptions subscriptions,
			RouterFunction<ServerResponse> endpoint) {
		this.calls = calls;
		this.sessions = sessions;
		this.caller = caller;
		this.owners = owners;
		this.streams = streams;
		this.subscriptions = subscriptions;
		this.endpoint = endpoint;
	}

	@Override
	public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		String sessionId = request.headers().firstHeader(McpRequestFilter.SESSION_HEADER);
		if (sessionId == null) {
			return open(request, next);
		}
		Optional<TenantContext> caller = this.caller.get();
		if (!this.owners.use(caller, sessionId)) {
			return ServerResponse.notFound().build();
		}
		request.attributes().put(SESSION, sessionId);
		if (request.method().equals(HttpMethod.DELETE)) {
			ServerResponse response = next.handle(request);
			if (response.statusCode().is2xxSuccessful()) {
				this.owners.ended(sessionId);
				this.streams.end(sessionId);
				caller.ifPresent((tenant) -> ended(tenant, sessionId));
			}
			return response;
		}
		return request.method().equals(HttpMethod.POST) ? message(request, caller, sessionId, next)
				: next.handle(request);
	}

	private ServerResponse open(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		ServerResponse response = next.handle(request);
		String opened = response.headers().getFirst(McpRequestFilter.SESSION_HEADER);
		if (opened != null) {
			for (McpSessionOwners.Session session : this.owners.opened(opened, this.caller.get())) {
				end(request, session);
			}
		}
		return response;
	}

	/**
	 * Ends a session in place of its client. Only a request can remove a session from the
	 * server.
	 */
	private void end(ServerRequest request, McpSessionOwners.Session session) {
		ServerRequest delete = ServerRequest.from(request)
			.method(HttpMethod.DELETE)
			.headers((headers) -> headers.set(McpRequestFilter.SESSION_HEADER, session.id()))
			.build();
		try {
			Optional<HandlerFunction<ServerResponse>> handler = this.endpoint.route(delete);
			if (handler.isPresent()) {
				handler.get().handle(delete);
			}
		}
		catch (Exception ex) {
			logger.warn("An expired MCP session cannot be removed: " + ex);
		}
		this.streams.end(session.id());
		if (session.owner() != null) {
			ended(session.owner(), session.id());
		}
	}

	private void ended(TenantContext tenant, String sessionId) {
		this.subscriptions.end(tenant, sessionId);
		this.calls.cancelSession(tenant, sessionId);
		this.sessions.end(tenant, sessionId);
	}

	private ServerResponse message(ServerRequest request, Optional<TenantContext> caller, String sessionId,
			HandlerFunction<ServerResponse> next) throws Exception {
		McpMessage message = (McpMessage) request.attribute(McpRequestFilter.MESSAGE).orElseThrow();
		if (message.method().equals(McpMessage.CANCELLED)) {
			// the SDK does not know this notification
			String requestId = message.requestId();
			if (requestId != null) {
				caller.ifPresent((tenant) -> this.calls.cancel(new McpCalls.Key(tenant, sessionId, requestId)));
			}
			return ServerResponse.accepted().build();
		}
		return next.handle(request);
	}

}
