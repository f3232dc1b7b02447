package io.kairo.autoconfigure.mcp;

import java.util.function.Consumer;

import io.kairo.tools.ToolProgress;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Sends the progress of a call to a client that requested it. A notification that cannot
 * be sent is dropped without a retry, and the call continues.
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
	 * Returns the receiver of the progress of a call.
	 * @param exchange the connection to the client
	 * @param request the call, which has a token if the client requested progress
	 * @return sends notifications, or does nothing if there is no token
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
