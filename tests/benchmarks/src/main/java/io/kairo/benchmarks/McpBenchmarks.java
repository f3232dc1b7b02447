package io.kairo.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.kairo.api.tenant.TenantContext;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A call of a tool over HTTP, beside the same call over the servlet transport of the MCP
 * SDK in the same web server. The client is the SDK's.
 *
 * @param warmUps the number of calls before the measurement: such a call takes so many
 * methods that they are not compiled after a few rounds
 */
record McpBenchmarks(int warmUps) {

	private static final String TEXT = "x".repeat(1000);

	List<Comparison> comparisons() {
		return List.of(
				new Comparison("call a tool of the application over MCP", "the SDK's servlet transport", 1.1,
						(scratch) -> sides(scratch, "Echo",
								(application) -> call(scratch, application, "/sdk", "Echo"))),
				new Comparison("call `Info` over MCP", "a call of the application over the SDK's servlet transport", 2,
						(scratch) -> sides(scratch, "Info",
								(application) -> call(scratch, application, "/sdk", "Echo"))),
				new Comparison("call `Info` over MCP", "the same call in Java", 100,
						(scratch) -> sides(scratch, "Info", McpBenchmarks::callInJava)));
	}

	private Sides sides(Scratch scratch, String tool, Function<ConfigurableApplicationContext, Work<String>> anchor)
			throws IOException {
		ConfigurableApplicationContext application = start(scratch);
		Work<String> work = call(scratch, application, "/mcp", tool);
		Work<String> other = anchor.apply(application);
		return tool.equals("Echo") ? new Sides(work, other)
				: new Sides(work.comparing((text) -> "called"), other.comparing((text) -> "called"));
	}

	private static Work<String> callInJava(ConfigurableApplicationContext application) {
		AgentSessions sessions = application.getBean(AgentSessions.class);
		ToolCatalog tools = application.getBean(ToolCatalog.class);
		return Work.of(() -> sessions.inSession(TenantContext.SINGLE, "java",
				(context) -> tools.call(new ToolCall("", "Info", Map.of()), context.build()).text()));
	}

	private static ConfigurableApplicationContext start(Scratch scratch) throws IOException {
		// the benchmarks have a provider of loggers that prints nothing
		System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
		return scratch.closing(SpringApplication.run(Application.class, "--server.port=0", "--server.address=127.0.0.1",
				"--server.shutdown=immediate", "--spring.main.banner-mode=off",
				"--kairo.workspace.roots=" + scratch.directory("root"), "--kairo.sandbox.type=none",
				"--kairo.state-dir=" + scratch.directory("state")));
	}

	private Work<String> call(Scratch scratch, ConfigurableApplicationContext application, String path, String tool) {
		String url = "http://127.0.0.1:" + application.getEnvironment().getRequiredProperty("local.server.port");
		McpSyncClient client = scratch
			.closing(McpClient.sync(HttpClientStreamableHttpTransport.builder(url).endpoint(path).build())
				.requestTimeout(Duration.ofSeconds(30))
				.build());
		client.initialize();
		CallToolRequest request = CallToolRequest.builder(tool).arguments(Map.of()).build();
		for (int i = 0; i < this.warmUps; i++) {
			client.callTool(request);
		}
		return Work.of(() -> ((TextContent) client.callTool(request).content().get(0)).text());
	}

	/**
	 * An application with the same tool at two endpoints.
	 */
	@EnableAutoConfiguration
	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		SyncToolSpecification echo() {
			return new SyncToolSpecification(
					Tool.builder("Echo", Map.of("type", "object")).description("Returns a text").build(),
					(exchange, request) -> CallToolResult.builder().addTextContent(TEXT).build());
		}

		@Bean(destroyMethod = "close")
		HttpServletStreamableServerTransportProvider sdkTransport(SyncToolSpecification echo) {
			HttpServletStreamableServerTransportProvider transport = HttpServletStreamableServerTransportProvider
				.builder()
				.mcpEndpoint("/sdk")
				.sessionSweepInterval(null) // it would leave a thread behind
				.build();
			McpServer.sync(transport).serverInfo("sdk", "1").immediateExecution(true).tools(echo).build();
			return transport;
		}

		@Bean
		ServletRegistrationBean<HttpServletStreamableServerTransportProvider> sdkServlet(
				HttpServletStreamableServerTransportProvider transport) {
			ServletRegistrationBean<HttpServletStreamableServerTransportProvider> servlet = new ServletRegistrationBean<>(
					transport, "/sdk");
			servlet.setAsyncSupported(true);
			return servlet;
		}

	}

}
