package io.kairo.autoconfigure.mcp;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The method and the request id of a message from a client.
 *
 * @param method the method, empty if there is none
 * @param requestId the id of the request that the message makes or refers to, in JSON;
 * null if there is none
 * @see <a href="https://www.jsonrpc.org/specification">JSON-RPC 2.0</a>
 */
record McpMessage(String method, @Nullable String requestId) {

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
