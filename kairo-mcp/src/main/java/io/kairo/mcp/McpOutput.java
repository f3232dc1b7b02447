package io.kairo.mcp;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * A stream of messages to a client, as server-sent events unless it says otherwise. For
 * use by one thread at a time.
 *
 * @see <a href=
 * "https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent events</a>
 */
interface McpOutput {

	/** No blank line: the client of the SDK stalls after 256 that do not end an event. */
	String COMMENT = ":\n";

	/**
	 * Writes and flushes a text. May wait for a client that does not read, but not for
	 * ever.
	 * @throws IOException if the client is gone or does not read
	 */
	void write(String text) throws IOException;

	/**
	 * Writes a message.
	 * @param id the id of the event, null for the answer to a request
	 * @param json the message, in one line
	 */
	default void message(@Nullable String id, String json) throws IOException {
		write(((id != null) ? "id:" + id + "\n" : "") + "event:message\ndata:" + json + "\n\n");
	}

	/**
	 * Writes a comment, which reveals whether the client is gone.
	 */
	default void comment() throws IOException {
		write(COMMENT);
	}

	/**
	 * Ends the stream. Called once, while nothing is being written.
	 */
	void end();

	/**
	 * Registers an action for the end of a stream that the server or the client ends.
	 * @param action runs once or more, does not block
	 */
	void onEnd(Runnable action);

}
