package io.kairo.autoconfigure.mcp;

import java.util.LinkedHashMap;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * Thrown when a request to an MCP endpoint is refused.
 */
final class McpRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final HttpStatus status;

	private final String reason;

	McpRefusedException(HttpStatus status, String reason) {
		super(reason, null, false, false);
		this.status = status;
		this.reason = reason;
	}

	static McpRefusedException tooManyStreams(McpProperties.Limits limits) {
		return new McpRefusedException(HttpStatus.TOO_MANY_REQUESTS,
				"%d event streams of a tenant or %d in all are open: close one of them"
					.formatted(limits.streamsPerTenant(), limits.streams()));
	}

	HttpStatus status() {
		return this.status;
	}

	/**
	 * Returns the content of the response.
	 */
	Map<String, Object> body() {
		return body(ErrorCodes.INVALID_REQUEST, this.reason);
	}

	/**
	 * Returns the content of the response to a message that the server refuses.
	 * @param status the status of the response
	 * @param code the code of the error
	 * @param reason the reason, hidden if it is not the fault of the client
	 */
	static Map<String, Object> body(HttpStatusCode status, int code, String reason) {
		return body(code, status.is5xxServerError() ? "The message could not be handled" : reason);
	}

	private static Map<String, Object> body(int code, String message) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("jsonrpc", "2.0");
		body.put("id", null);
		body.put("error", Map.of("code", code, "message", message));
		return body;
	}

}
