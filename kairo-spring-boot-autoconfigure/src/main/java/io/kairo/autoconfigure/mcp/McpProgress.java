package io.kairo.autoconfigure.mcp;

import java.util.function.Consumer;

import io.kairo.tools.ToolProgress;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells a client that asked for it how far a call has come. What cannot be sent is
 * dropped, and nothing is tried again: the call goes on without.
 */
final class McpProgress implements Consumer<ToolProgress> {

	private static final Log logger = LogFactory.getLog(McpProgress.class);

	private final McpSyncServerExchange exchange;

	private final Object token;

	private volatile boolean failed;

	private McpProgress(McpSyncServerExchange exchange, Object token) {
		this.exchange = exchange;
		this.token = token;
	}

	/**
	 * Returns who to tell about a call.
	 * @param exchange leads to the client
	 * @param request may have the token of a client that wants to know
	 * @return sends notifications, or does nothing where there is no token
	 */
	static Consumer<ToolProgress> of(McpSyncServerExchange exchange, CallToolRequest request) {
		Object token = (request.meta() != null) ? request.meta().get("progressToken") : null;
		return (token instanceof String || token instanceof Number) ? new McpProgress(exchange, token) : (progress) -> {
		};
	}

	@Override
	public void accept(ToolProgress progress) {
		if (this.failed) {
			return;
		}
		try {
			this.exchange.progressNotification(ProgressNotification.builder(this.token, (double) progress.amount())
				.message(progress.message())
				.build());
		}
		catch (RuntimeException ex) {
			this.failed = true;
			logger.debug("Progress could not be sent to the MCP client", ex);
		}
	}

}
