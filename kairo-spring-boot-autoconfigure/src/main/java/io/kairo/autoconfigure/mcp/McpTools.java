package io.kairo.autoconfigure.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.tenancy.TenantRequiredException;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.Cancellation;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolAnnotations.Effect;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

/**
 * Offers tools of the catalog to an MCP server. The tenant is the tenant that is bound
 * when the call arrives, never a tenant that the client names.
 */
final class McpTools {

	private final ToolCatalog catalog;

	private final AgentSessions sessions;

	private final TenantContextHolder tenants;

	private final McpCalls calls;

	private final McpRequestId requestId;

	private final ToolNaming naming;

	McpTools(ToolCatalog catalog, AgentSessions sessions, TenantContextHolder tenants, McpCalls calls,
			McpRequestId requestId, ToolNaming naming) {
		this.catalog = catalog;
		this.sessions = sessions;
		this.tenants = tenants;
		this.calls = calls;
		this.requestId = requestId;
		this.naming = naming;
	}

	SyncToolSpecification specification(ToolDefinition definition) {
		return new SyncToolSpecification(tool(definition), (exchange, request) -> orRefused(() -> {
			TenantContext tenant = this.tenants.current();
			Cancellation cancellation = new Cancellation();
			try (Cancellation.Registration registration = remember(tenant, exchange.sessionId(), cancellation)) {
				return call(definition, request, tenant, exchange.sessionId(),
						(context) -> context.cancellation(cancellation).progress(McpProgress.of(exchange, request)));
			}
		}));
	}

	McpStatelessServerFeatures.SyncToolSpecification statelessSpecification(ToolDefinition definition) {
		return new McpStatelessServerFeatures.SyncToolSpecification(tool(definition), (context, request) -> orRefused(
				() -> call(definition, request, this.tenants.current(), null, UnaryOperator.identity())));
	}

	/**
	 * Converts a missing tenant into a result.
	 */
	private CallToolResult orRefused(Supplier<CallToolResult> call) {
		try {
			return call.get();
		}
		catch (TenantRequiredException ex) {
			return present(ToolResult.failure("tenant_required", String.valueOf(ex.getMessage()), null));
		}
	}

	private Cancellation.Registration remember(TenantContext tenant, @Nullable String sessionId,
			Cancellation cancellation) {
		String id = this.requestId.current();
		return (id != null && sessionId != null)
				? this.calls.remember(new McpCalls.Key(tenant, sessionId, id), cancellation) : () -> {
				};
	}

	private CallToolResult call(ToolDefinition definition, CallToolRequest request, TenantContext tenant,
			@Nullable String sessionId, UnaryOperator<ToolContext.Builder> context) {
		Map<String, Object> arguments = (request.arguments() != null) ? request.arguments() : Map.of();
		ToolCall call = new ToolCall("", definition.name(), arguments);
		return present(this.sessions.call(SessionRequest.of(tenant, sessionId), this.catalog, call,
				(builder) -> context.apply(builder.carriesAttachments())));
	}

	private CallToolResult present(ToolResult result) {
		CallToolResult.Builder builder = CallToolResult.builder().addTextContent(result.text());
		if (result.attachment() != null) {
			builder.addContent(new McpAttachment(result.attachment()).content());
		}
		return builder.structuredContent(structured(result)).isError(result.error() != null).build();
	}

	/**
	 * Adds to the data whether parts were omitted, and how to get them. The documented
	 * data of snake_case tools is not extended if nothing was omitted.
	 */
	private Map<String, Object> structured(ToolResult result) {
		Map<String, Object> structured = new LinkedHashMap<>(result.data());
		if (this.naming != ToolNaming.SNAKE_CASE || !result.complete().complete()) {
			structured.put("complete", result.complete().complete());
		}
		if (result.complete().reason() != null) {
			structured.put("incompleteReason", result.complete().reason());
		}
		if (result.complete().next() != null) {
			structured.put("next", result.complete().next());
		}
		return structured;
	}

	private static Tool tool(ToolDefinition definition) {
		Effect effect = definition.annotations().effect();
		return McpSchema.Tool.builder(definition.name(), definition.inputSchema())
			.title(definition.name())
			.description(definition.description())
			.annotations(ToolAnnotations.builder()
				.title(definition.name())
				.readOnlyHint(effect == Effect.READS)
				.destructiveHint(effect == Effect.DESTROYS)
				.idempotentHint(definition.annotations().idempotent())
				.openWorldHint(definition.annotations().openWorld())
				.build())
			.build();
	}

}
