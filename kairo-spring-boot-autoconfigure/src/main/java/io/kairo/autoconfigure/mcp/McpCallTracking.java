package io.kairo.autoconfigure.mcp;

import java.util.Optional;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.tenancy.TenantRequiredException;
import io.kairo.tools.AgentSessions;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Filter for the messages that clients post to the endpoint of streamable HTTP. It
 * records the id of each request and its cancellation, which the SDK does not pass to
 * tools, and restricts the use of a session to the caller that opened it, since the SDK
 * serves every caller that knows its id.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/cancellation">Cancellation</a>
 */
final class McpCallTracking implements HandlerFilterFunction<ServerResponse, ServerResponse> {

	static final String REQUEST_ID = McpCallTracking.class.getName() + ".requestId";

	private static final String SESSION_HEADER = "Mcp-Session-Id";

	private final JsonMapper mapper;

	private final McpCalls calls;

	private final AgentSessions sessions;

	private final TenantContextHolder tenants;

	private final McpSessionOwners owners = new McpSessionOwners();

	McpCallTracking(JsonMapper mapper, McpCalls calls, AgentSessions sessions, TenantContextHolder tenants) {
		this.mapper = mapper;
		this.calls = calls;
		this.sessions = sessions;
		this.tenants = tenants;
	}

	@Override
	public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		String sessionId = request.headers().firstHeader(SESSION_HEADER);
		if (sessionId == null) {
			return open(request, next);
		}
		if (!this.owners.owns(caller(), sessionId)) {
			return ServerResponse.notFound().build();
		}
		if (request.method().equals(HttpMethod.DELETE)) {
			ServerResponse response = next.handle(request);
			if (response.statusCode().is2xxSuccessful()) {
				this.owners.ended(sessionId);
				caller().ifPresent((tenant) -> {
					this.calls.cancelSession(tenant, sessionId);
					this.sessions.end(tenant, sessionId);
				});
			}
			return response;
		}
		return request.method().equals(HttpMethod.POST) ? filterMessage(request, sessionId, next)
				: next.handle(request);
	}

	private ServerResponse open(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		Optional<TenantContext> caller = caller();
		ServerResponse response = next.handle(request);
		String opened = response.headers().getFirst(SESSION_HEADER);
		if (opened != null) {
			this.owners.opened(opened, caller);
		}
		return response;
	}

	/**
	 * Returns the caller, empty if a tenant is required and there is none: the tool
	 * rejects such a call, not the protocol.
	 */
	private Optional<TenantContext> caller() {
		try {
			return Optional.of(this.tenants.current());
		}
		catch (TenantRequiredException ex) {
			return Optional.empty();
		}
	}

	private ServerResponse filterMessage(ServerRequest request, String sessionId, HandlerFunction<ServerResponse> next)
			throws Exception {
		byte[] body = request.body(byte[].class);
		McpMessage message = McpMessage.read(this.mapper, body);
		String requestId = message.requestId();
		if (requestId != null && message.method().equals(McpMessage.CALL)) {
			request.attributes().put(REQUEST_ID, requestId);
		}
		ServerResponse response = next.handle(ServerRequest.from(request).body(body).build());
		if (requestId != null && message.method().equals(McpMessage.CANCELLED)
				&& response.statusCode().is2xxSuccessful()) {
			caller().ifPresent((tenant) -> this.calls.cancel(new McpCalls.Key(tenant, sessionId, requestId)));
		}
		return response;
	}

	/**
	 * The method and the request id of a message from a client.
	 *
	 * @param method the method, empty if there is none
	 * @param requestId the id of the request that the message makes or refers to, in
	 * JSON; null if there is none
	 * @see <a href="https://www.jsonrpc.org/specification">JSON-RPC 2.0</a>
	 */
	private record McpMessage(String method, @Nullable String requestId) {

		static final String CALL = "tools/call";

		static final String CANCELLED = "notifications/cancelled";

		private static final McpMessage UNKNOWN = new McpMessage("", null);

		/**
		 * Reads a message. The server handles input that is not JSON.
		 */
		static McpMessage read(JsonMapper mapper, byte[] json) {
			JsonNode message;
			try {
				message = mapper.readTree(json);
			}
			catch (JacksonException ex) {
				return UNKNOWN;
			}
			String method = message.path("method").asString("");
			JsonNode id = method.equals(CANCELLED) ? message.path("params").path("requestId") : message.path("id");
			return new McpMessage(method, id.isValueNode() && !id.isNull() ? id.toString() : null);
		}

	}

}
