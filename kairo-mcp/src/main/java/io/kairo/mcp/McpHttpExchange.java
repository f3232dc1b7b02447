package io.kairo.mcp;

import java.io.IOException;
import java.security.Principal;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP request to the MCP endpoint and its response, whatever the server. For use by
 * one thread at a time.
 */
interface McpHttpExchange {

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
