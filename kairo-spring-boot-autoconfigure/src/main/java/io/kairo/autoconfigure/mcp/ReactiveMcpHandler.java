package io.kairo.autoconfigure.mcp;

import java.util.List;
import java.util.function.Supplier;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Calls the tools of Kairo, and reads its resources, on the threads and for the callers
 * of reactive requests: the server would do so on threads that do not know the caller,
 * where they are refused. All other requests are handled by the server. Safe for use by
 * several threads.
 */
final class ReactiveMcpHandler implements McpStatelessServerHandler {

	private final McpStatelessServerHandler handler;

	private final ReactiveMcpThreads threads;

	private final Supplier<@Nullable McpStatelessSyncServer> server;

	private final Supplier<List<SyncToolSpecification>> tools;

	private final Supplier<List<SyncResourceTemplateSpecification>> resources;

	/**
	 * Creates a handler.
	 * @param handler the handler of the server
	 * @param server supplies the server, null if it is an asynchronous one
	 * @param tools supplies the tools of Kairo
	 * @param resources supplies its resources
	 */
	ReactiveMcpHandler(McpStatelessServerHandler handler, ReactiveMcpThreads threads,
			Supplier<@Nullable McpStatelessSyncServer> server, Supplier<List<SyncToolSpecification>> tools,
			Supplier<List<SyncResourceTemplateSpecification>> resources) {
		this.handler = handler;
		this.threads = threads;
		this.server = server;
		this.tools = tools;
		this.resources = resources;
	}

	@Override
	public Mono<JSONRPCResponse> handleRequest(McpTransportContext transport, JSONRPCRequest request) {
		return Mono.deferContextual((context) -> {
			Mono<JSONRPCResponse> others = Mono.defer(() -> this.handler.handleRequest(transport, request));
			ReactiveMcpCall call = context.getOrDefault(ReactiveMcpCall.class, null);
			return (call != null) ? this.threads.run(call, () -> result(transport, request))
				.map((result) -> JSONRPCResponse.result(request.id(), result))
				.switchIfEmpty(others) : others;
		}).onErrorResume(McpError.class, (ex) -> Mono.just(JSONRPCResponse.error(request.id(), ex.getJsonRpcError())));
	}

	/**
	 * Returns the result of a request to Kairo, null if it is to the application.
	 */
	private @Nullable Object result(McpTransportContext transport, JSONRPCRequest request) {
		McpStatelessSyncServer server = this.server.get();
		if (server == null) {
			return null;
		}
		return switch (request.method()) {
			case McpMessage.CALL -> call(transport, server, params(request, CallToolRequest.class));
			case McpMessage.READ_RESOURCE -> read(transport, server, params(request, ReadResourceRequest.class));
			default -> null;
		};
	}

	private static <T> T params(JSONRPCRequest request, Class<T> type) {
		try {
			T params = McpJsonDefaults.getMapper().convertValue(request.params(), type);
			if (params != null) {
				return params;
			}
		}
		catch (RuntimeException ex) {
			// as without parameters
		}
		throw McpError.builder(ErrorCodes.INVALID_PARAMS)
			.message("The parameters of " + request.method() + " are not valid")
			.build();
	}

	private @Nullable Object call(McpTransportContext transport, McpStatelessSyncServer server,
			CallToolRequest request) {
		for (SyncToolSpecification tool : this.tools.get()) {
			if (tool.tool().name().equals(request.name()) && server.listTools().contains(tool.tool())) {
				return tool.callHandler().apply(transport, request);
			}
		}
		return null;
	}

	private @Nullable Object read(McpTransportContext transport, McpStatelessSyncServer server,
			ReadResourceRequest request) {
		if (!McpFileUri.isFile(request.uri())) {
			return null;
		}
		for (SyncResourceTemplateSpecification resource : this.resources.get()) {
			if (server.listResourceTemplates().contains(resource.resourceTemplate())) {
				return resource.readHandler().apply(transport, request);
			}
		}
		return null;
	}

	@Override
	public Mono<Void> handleNotification(McpTransportContext transport, JSONRPCNotification notification) {
		return this.handler.handleNotification(transport, notification);
	}

}
