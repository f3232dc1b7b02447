package io.kairo.autoconfigure.mcp;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a message of a client is about.
 *
 * @param method the method, empty if there is none
 * @param requestId the id of the request that it makes or speaks of, in JSON; null if
 * there is none
 * @see <a href="https://www.jsonrpc.org/specification">JSON-RPC 2.0</a>
 */
record McpMessage(String method, @Nullable String requestId) {

	static final String CALL = "tools/call";

	static final String CANCELLED = "notifications/cancelled";

	private static final McpMessage UNKNOWN = new McpMessage("", null);

	/**
	 * Reads a message. What is not JSON is left for the server to complain about.
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
