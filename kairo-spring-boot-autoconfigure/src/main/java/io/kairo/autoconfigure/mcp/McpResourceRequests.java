package io.kairo.autoconfigure.mcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Answers requests about resources that the SDK would answer in the same way for all
 * callers: the list, and subscriptions, of which it would keep any number without a check
 * of the caller. Comes after {@link McpCallTracking}.
 */
final class McpResourceRequests implements HandlerFilterFunction<ServerResponse, ServerResponse> {

	/** Of a URI that the application answers for. */
	private static final int MAX_URI_LENGTH = 8192;

	private final McpResources resources;

	private final @Nullable McpSubscriptions subscriptions;

	private final Supplier<List<Resource>> others;

	private final JsonMapper mapper;

	/**
	 * Creates the filter.
	 * @param subscriptions the subscriptions, null if the server has none
	 * @param others supplies the resources of the application
	 */
	McpResourceRequests(McpResources resources, @Nullable McpSubscriptions subscriptions,
			Supplier<List<Resource>> others, JsonMapper mapper) {
		this.resources = resources;
		this.subscriptions = subscriptions;
		this.others = others;
		this.mapper = mapper;
	}

	@Override
	public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		McpMessage message = (McpMessage) request.attribute(McpRequestFilter.MESSAGE).orElse(null);
		if (message == null || !message.isRequest() || !this.resources.isOffered()) {
			return next.handle(request);
		}
		String session = (String) request.attribute(McpCallTracking.SESSION).orElse(null);
		try {
			return switch (message.method()) {
				case McpMessage.LIST_RESOURCES -> result(message, list(session, message.cursor()));
				case McpMessage.SUBSCRIBE, McpMessage.UNSUBSCRIBE -> (session != null && this.subscriptions != null)
						? subscription(request, next, message, session, this.subscriptions) : next.handle(request);
				default -> next.handle(request);
			};
		}
		catch (McpError ex) {
			return error(message, ex.getJsonRpcError());
		}
	}

	private Map<String, Object> list(@Nullable String session, @Nullable String cursor) {
		McpResources.Page page = this.resources.list(session, cursor);
		List<Resource> listed = new ArrayList<>((cursor == null) ? this.others.get() : List.of());
		listed.addAll(page.files());
		Map<String, Object> result = new LinkedHashMap<>();
		result.put("resources", listed);
		if (page.next() != null) {
			result.put("nextCursor", page.next());
		}
		return result;
	}

	private ServerResponse subscription(ServerRequest request, HandlerFunction<ServerResponse> next, McpMessage message,
			String session, McpSubscriptions subscriptions) throws Exception {
		String uri = message.uri();
		if (uri == null) {
			throw McpResources.invalid("The request has no URI");
		}
		TenantContext owner = this.resources.tenant(session);
		McpFileUri file = McpFileUri.isFile(uri) ? McpResources.parse(uri) : null;
		if (file == null && uri.length() > MAX_URI_LENGTH) {
			throw McpResources.invalid("The URI has more than " + MAX_URI_LENGTH + " characters");
		}
		if (message.method().equals(McpMessage.UNSUBSCRIBE)) {
			subscriptions.remove(owner, session, uri);
		}
		else {
			subscriptions.requireRoom(owner, session, uri);
			Object state = (file != null) ? this.resources.check(owner, session, file) : "";
			subscriptions.add(owner, session, uri, file, state);
		}
		return (file != null) ? result(message, Map.of()) : next.handle(request);
	}

	private ServerResponse result(McpMessage message, Map<String, Object> result) {
		return respond(message, "result", result);
	}

	private ServerResponse error(McpMessage message, JSONRPCError error) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("code", error.code());
		body.put("message", error.message());
		if (error.data() != null) {
			body.put("data", error.data());
		}
		return respond(message, "error", body);
	}

	private ServerResponse respond(McpMessage message, String part, Map<String, Object> value) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("jsonrpc", "2.0");
		body.put("id", this.mapper.readTree(Objects.requireNonNull(message.id())));
		body.put(part, value);
		return ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).body(this.mapper.writeValueAsString(body));
	}

}
