package io.kairo.mcp;

import java.util.LinkedHashMap;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request to the MCP endpoint is refused.
 */
final class McpRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	private final String reason;

	/**
	 * Creates an exception.
	 * @param status the status of the response
	 * @param reason the reason for the client
	 */
	McpRefusedException(int status, String reason) {
		super(reason, null, false, false);
		this.status = status;
		this.reason = reason;
	}

	static McpRefusedException tooManyStreams(McpProperties.Limits limits) {
		return new McpRefusedException(429, "%d event streams of a tenant or %d in all are open: close one of them"
			.formatted(limits.streamsPerTenant(), limits.streams()));
	}

	static McpRefusedException tooManyRequests(McpProperties.Limits limits) {
		return new McpRefusedException(429,
				("%d requests of a tenant or %d in all are in progress, or as many of the tenant as are left for others: "
						+ "wait for one of them to end")
					.formatted(limits.requestsPerTenant(), limits.requests()));
	}

	int status() {
		return this.status;
	}

	/**
	 * Returns the content of the response.
	 * @param id the id of the request, null if it is not known
	 */
	Map<String, Object> body(@Nullable Object id) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("jsonrpc", "2.0");
		body.put("id", id);
		body.put("error", Map.of("code", (this.status < 500) ? ErrorCodes.INVALID_REQUEST : ErrorCodes.INTERNAL_ERROR,
				"message", this.reason));
		return body;
	}

}
