package io.kairo.autoconfigure.mcp;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.tools.AgentSessions;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Looks at what a client posts to the endpoint of streamable HTTP: the SDK tells a tool
 * neither the id of its request nor that the request was cancelled.
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
			return next.handle(request);
		}
		if (request.method().equals(HttpMethod.DELETE)) {
			ServerResponse response = next.handle(request);
			if (response.statusCode().is2xxSuccessful()) {
				TenantContext tenant = this.tenants.current();
				this.calls.cancelSession(tenant, sessionId);
				this.sessions.end(tenant, sessionId);
			}
			return response;
		}
		return request.method().equals(HttpMethod.POST) ? filterMessage(request, sessionId, next)
				: next.handle(request);
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
			TenantContext tenant = this.tenants.current();
			this.calls.cancel(new McpCalls.Key(tenant, sessionId, requestId));
		}
		return response;
	}

}
