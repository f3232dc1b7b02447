package io.kairo.mcp;

import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolAnnotations.Effect;
import io.kairo.tools.ToolAttachment;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolProgress;
import io.kairo.tools.ToolRefusal;
import io.kairo.tools.ToolResult;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Offers tools of the catalog to an MCP server. The tenant is that of the request, never
 * one that the client names.
 */
final class McpTools {

	static final String ADAPTER = "mcp";

	private final ToolCatalog catalog;

	private final AgentSessions sessions;

	private final CallingClient client;

	private final McpResources resources;

	private final McpStructuredContent structured;

	McpTools(ToolCatalog catalog, AgentSessions sessions, CallingClient client, McpStructuredContent structured,
			McpResources resources) {
		this.catalog = catalog;
		this.sessions = sessions;
		this.client = client;
		this.structured = structured;
		this.resources = resources;
	}

	SyncToolSpecification specification(ToolDefinition definition) {
		return new SyncToolSpecification(tool(definition), (exchange, request) -> {
			McpCall call = McpCall.of(exchange.transportContext());
			return call.caller()
				.map((tenant) -> this.client.during(exchange,
						() -> call(definition, request, call, tenant, McpProgress.of(exchange, request))))
				.orElseGet(() -> present(definition,
						this.catalog.refuse(
								new ToolRefusal(definition.name(), null, null, ADAPTER, ToolError.tenantRequired())),
						null));
		});
	}

	private CallToolResult call(ToolDefinition definition, CallToolRequest request, McpCall call, TenantContext tenant,
			Consumer<ToolProgress> progress) {
		Map<String, Object> arguments = (request.arguments() != null) ? request.arguments() : Map.of();
		AtomicReference<@Nullable ToolContext> used = new AtomicReference<>();
		ToolResult result = this.sessions.call(SessionRequest.of(tenant, call.sessionId()), this.catalog,
				new ToolCall(Objects.requireNonNullElse(call.id(), ""), definition.name(), arguments), (builder) -> {
					ToolContext.Builder own = builder.adapter(ADAPTER)
						.cancellation(call.cancellation())
						.progress(progress)
						.carriesAttachments(call::whenClosed);
					used.set(own.build());
					return own;
				});
		return present(definition, result, used.get());
	}

	private CallToolResult present(ToolDefinition definition, ToolResult result, @Nullable ToolContext used) {
		CallToolResult.Builder builder = CallToolResult.builder()
			.addTextContent(this.structured.text(definition, result))
			.isError(result.error() != null);
		ToolAttachment attachment = result.attachment();
		if (attachment != null) {
			builder.addContent(new McpAttachment(attachment, this.resources.uri(attachment.path(), used)).content());
		}
		if (this.structured.includes(definition)) {
			builder.structuredContent(this.structured.content(definition, result));
		}
		return builder.build();
	}

	private Tool tool(ToolDefinition definition) {
		Effect effect = definition.annotations().effect();
		return McpSchema.Tool.builder(definition.name(), definition.inputSchema())
			.title(definition.name())
			.description(definition.description())
			.outputSchema(this.structured.includes(definition) ? McpStructuredContent.schema(definition) : null)
			.annotations(ToolAnnotations.builder()
				.title(definition.name())
				.readOnlyHint(effect == Effect.READS)
				.destructiveHint(effect == Effect.DESTROYS)
				.idempotentHint(definition.annotations().idempotent())
				.openWorldHint(definition.annotations().openWorld())
				.build())
			.build();
	}

	/**
	 * A file that is attached to a result, as MCP content: an image as image content, any
	 * other document as an embedded resource.
	 *
	 * @param attachment the file
	 * @param uri its URI
	 */
	private record McpAttachment(ToolAttachment attachment, String uri) {

		Content content() {
			String encoded = Base64.getEncoder().encodeToString(this.attachment.bytes());
			if (this.attachment.isImage()) {
				return ImageContent.builder(encoded, this.attachment.mediaType()).build();
			}
			BlobResourceContents blob = BlobResourceContents.builder(this.uri, encoded)
				.mimeType(this.attachment.mediaType())
				.build();
			return EmbeddedResource.builder(blob).build();
		}

	}

	/**
	 * Sends the progress of a call to a client that requested it. A notification that
	 * cannot be sent is dropped without a retry, and the call continues.
	 */
	private static final class McpProgress implements Consumer<ToolProgress> {

		private static final Log logger = LogFactory.getLog(McpProgress.class);

		private final McpSyncServerExchange exchange;

		private final Object token;

		private volatile boolean failed;

		/** The progress that was sent last; guarded by this. */
		private double sent = -1;

		private McpProgress(McpSyncServerExchange exchange, Object token) {
			this.exchange = exchange;
			this.token = token;
		}

		/**
		 * Returns the receiver of the progress of a call.
		 * @param exchange the connection to the client
		 * @param request the call, with a token if the client requested progress
		 * @return sends notifications, or does nothing if there is no token
		 */
		static Consumer<ToolProgress> of(McpSyncServerExchange exchange, CallToolRequest request) {
			Object token = (request.meta() != null) ? request.meta().get("progressToken") : null;
			return (token instanceof String || token instanceof Number) ? new McpProgress(exchange, token)
					: (progress) -> {
					};
		}

		/**
		 * Sends a progress. It must be above the previous one.
		 */
		@Override
		public synchronized void accept(ToolProgress progress) {
			if (this.failed) {
				return;
			}
			this.sent = Math.max((double) progress.amount(), this.sent + 1);
			try {
				this.exchange.progressNotification(
						ProgressNotification.builder(this.token, this.sent).message(message(progress)).build());
			}
			catch (RuntimeException ex) {
				this.failed = true;
				logger.debug("Progress could not be sent to the MCP client", ex);
			}
		}

		private static String message(ToolProgress progress) {
			return (progress.text() != null) ? progress.message() + "\n" + progress.text() : progress.message();
		}

	}

}
