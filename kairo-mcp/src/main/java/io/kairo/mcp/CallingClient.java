package io.kairo.mcp;

import java.util.function.Supplier;

import io.modelcontextprotocol.server.McpSyncServerExchange;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the client whose call runs, on the thread of that call. Safe for use
 * by several threads.
 */
final class CallingClient {

	@SuppressWarnings("ThreadLocalUsage") // Spring contexts share no state
	private final ThreadLocal<@Nullable McpSyncServerExchange> current = new ThreadLocal<>();

	/**
	 * Makes a call with the connection to its client.
	 */
	<T> T during(McpSyncServerExchange exchange, Supplier<T> call) {
		McpSyncServerExchange outer = this.current.get();
		this.current.set(exchange);
		try {
			return call.get();
		}
		finally {
			if (outer != null) {
				this.current.set(outer);
			}
			else {
				this.current.remove();
			}
		}
	}

	/**
	 * Returns the connection to the client whose call this thread makes.
	 * @param session the client's id of the session of the call
	 * @return the connection, null if there is none or it is of another session
	 */
	@Nullable McpSyncServerExchange current(@Nullable String session) {
		McpSyncServerExchange exchange = this.current.get();
		return (exchange != null && exchange.sessionId() != null && exchange.sessionId().equals(session)) ? exchange
				: null;
	}

}
