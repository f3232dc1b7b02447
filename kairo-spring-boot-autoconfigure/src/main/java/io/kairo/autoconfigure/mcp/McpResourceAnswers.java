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

/**
 * Answers requests about resources that the SDK would answer in the same way for all
 * callers: the list, and subscriptions. The SDK would keep any number of these without a
 * check of the caller. Safe for use by several threads.
 */
final class McpResourceAnswers {

	/** Of a URI that the application answers for. */
	private static final int MAX_URI_LENGTH = 8192;

	private final McpResources resources;

	private final @Nullable McpSubscriptions subscriptions;

	private final Supplier<List<Resource>> others;

	private final JsonMapper mapper;

	/**
	 * Creates the answers.
	 * @param subscriptions the subscriptions, null if the server has none
	 * @param others supplies the resources of the application
	 */
	McpResourceAnswers(McpResources resources, @Nullable McpSubscriptions subscriptions,
			Supplier<List<Resource>> others, JsonMapper mapper) {
		this.resources = resources;
		this.subscriptions = subscriptions;
		this.others = others;
		this.mapper = mapper;
	}

	/**
	 * Answers a request on behalf of the caller of the current thread.
	 * @param session the id of the caller's session, null if there is none
	 * @return the answer in JSON, null if the server answers the message
	 */
	@Nullable String answer(McpMessage message, @Nullable String session) {
		if (!message.isRequest() || !this.resources.isOffered()) {
			return null;
		}
		try {
			return switch (message.method()) {
				case McpMessage.LIST_RESOURCES -> respond(message, "result", list(session, message.cursor()));
				case McpMessage.SUBSCRIBE, McpMessage.UNSUBSCRIBE -> (session != null && this.subscriptions != null)
						? subscription(message, session, this.subscriptions) : null;
				default -> null;
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

	private @Nullable String subscription(McpMessage message, String session, McpSubscriptions subscriptions) {
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
		return (file != null) ? respond(message, "result", Map.of()) : null;
	}

	private String error(McpMessage message, JSONRPCError error) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("code", error.code());
		body.put("message", error.message());
		if (error.data() != null) {
			body.put("data", error.data());
		}
		return respond(message, "error", body);
	}

	private String respond(McpMessage message, String part, Map<String, Object> value) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("jsonrpc", "2.0");
		body.put("id", this.mapper.readTree(Objects.requireNonNull(message.id())));
		body.put(part, value);
		return this.mapper.writeValueAsString(body);
	}

}
