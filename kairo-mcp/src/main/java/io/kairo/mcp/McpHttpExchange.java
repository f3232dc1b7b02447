package io.kairo.mcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/**
 * An HTTP request to the MCP endpoint and its response, whatever the server. For use by
 * one thread at a time.
 */
interface McpHttpExchange {

	/** The type of streams of messages. */
	MimeType EVENTS = new MimeType("text", "event-stream");

	String method();

	/**
	 * Returns the values of a header of the request, in their order.
	 */
	List<String> headers(String name);

	default @Nullable String header(String name) {
		List<String> values = headers(name);
		return values.isEmpty() ? null : values.get(0);
	}

	/**
	 * Refuses a message that a web page can send without permission, or that the server
	 * would decode differently.
	 * @throws McpRefusedException if it is not JSON in UTF-8
	 */
	default void requireJson() {
		String type = header("Content-Type");
		if (type == null || !isJson(type)) {
			throw new McpRefusedException(415, "The content type " + Objects.requireNonNullElse(type, "")
					+ " is not accepted: send messages as application/json in UTF-8");
		}
	}

	private static boolean isJson(String type) {
		try {
			MimeType parsed = MimeTypeUtils.parseMimeType(type);
			return parsed.equalsTypeAndSubtype(MimeTypeUtils.APPLICATION_JSON)
					&& (parsed.getCharset() == null || parsed.getCharset().equals(StandardCharsets.UTF_8));
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Returns whether the client accepts responses of a type.
	 */
	default boolean accepts(MimeType type) {
		try {
			return MimeTypeUtils.parseMimeTypes(String.join(",", headers("Accept")))
				.stream()
				.anyMatch((accepted) -> accepted.includes(type));
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Refuses a request whose client does not accept responses of a type.
	 * @throws McpRefusedException if it does not
	 */
	default void requireAccepted(MimeType type) {
		if (!accepts(type)) {
			throw new McpRefusedException(400, "The client does not accept " + type
					+ ": send the header Accept with application/json and text/event-stream");
		}
	}

	/**
	 * Refuses a request with another version of the protocol.
	 * @param supported the versions that the server supports
	 * @throws McpRefusedException if the request names none of them
	 */
	default void requireVersion(List<String> supported) {
		String version = header("MCP-Protocol-Version");
		if (version != null && !supported.contains(version)) {
			throw new McpRefusedException(400,
					"The protocol version '" + version + "' is not supported: use one of " + supported);
		}
	}

	/**
	 * Returns whether the request arrived over TLS.
	 */
	boolean isSecure();

	/**
	 * Returns the local address of the connection.
	 */
	String localAddress();

	/**
	 * Returns the principal of the request, null if there is none.
	 */
	@Nullable Principal principal();

	/**
	 * Writes the whole response.
	 * @param session the id of the session that the client is to use, null if there is
	 * none to tell
	 * @param json the content, empty for none
	 */
	void respond(int status, @Nullable String session, byte[] json) throws IOException;

	/**
	 * Begins a response that is a stream of messages. After a GET it outlives the request
	 * that this thread handles; otherwise it ends with it.
	 */
	McpOutput stream() throws IOException;

}
