package io.kairo.autoconfigure.mcp;

import java.util.List;

import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import reactor.core.publisher.Mono;

/**
 * Calls the tools of Kairo, and reads its resources, on the threads and for the callers
 * of reactive requests: a server would do so on threads that do not know the caller,
 * where they are refused.
 *
 * @param threads the threads
 */
record ReactiveMcpServer(ReactiveMcpThreads threads) {

	/**
	 * Replaces the tools and resources that a server has of Kairo.
	 */
	void adapt(McpSyncServer server, List<SyncToolSpecification> tools,
			List<SyncResourceTemplateSpecification> resources) {
		McpAsyncServer async = server.getAsyncServer();
		List<Tool> offered = server.listTools();
		for (SyncToolSpecification tool : tools) {
			if (offered.contains(tool.tool())) {
				server.removeTool(tool.tool().name());
				async.addTool(adapted(tool)).block();
			}
		}
		List<ResourceTemplate> templates = server.listResourceTemplates();
		for (SyncResourceTemplateSpecification resource : resources) {
			if (templates.contains(resource.resourceTemplate())) {
				server.removeResourceTemplate(resource.resourceTemplate().uriTemplate());
				async.addResourceTemplate(adapted(resource)).block();
			}
		}
	}

	private AsyncToolSpecification adapted(SyncToolSpecification tool) {
		return AsyncToolSpecification.builder()
			.tool(tool.tool())
			.callHandler((exchange,
					request) -> run(() -> tool.callHandler().apply(new McpSyncServerExchange(exchange), request)))
			.build();
	}

	private AsyncResourceTemplateSpecification adapted(SyncResourceTemplateSpecification resource) {
		return new AsyncResourceTemplateSpecification(resource.resourceTemplate(), (exchange,
				request) -> run(() -> resource.readHandler().apply(new McpSyncServerExchange(exchange), request)));
	}

	private <T> Mono<T> run(ReactiveMcpThreads.Work<T> work) {
		return Mono.deferContextual((context) -> {
			ReactiveMcpCall call = context.getOrDefault(ReactiveMcpCall.class, null);
			return (call != null) ? this.threads.run(call, work) : this.threads.run(work);
		});
	}

}
