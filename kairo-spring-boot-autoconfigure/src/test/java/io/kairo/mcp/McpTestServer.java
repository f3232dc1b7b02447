package io.kairo.mcp;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * An application with an MCP server, whose callers name tenant and principal in a header.
 */
final class McpTestServer implements AutoCloseable {

	static final String CALLER = "X-Caller";

	/** Since the clients of the SDK need those of the common pool. */
	static final Executor THREADS = (task) -> new Thread(task).start();

	private final ConfigurableApplicationContext context;

	/**
	 * Starts the application.
	 * @param configuration further configuration
	 */
	McpTestServer(List<Class<?>> configuration, String... arguments) {
		SpringApplication application = new SpringApplication(
				Stream.concat(Stream.of(Application.class), configuration.stream()).toArray(Class<?>[]::new));
		this.context = application
			.run(Stream.concat(Stream.of("--server.port=0", "--server.address=127.0.0.1", "--server.shutdown=immediate",
					"--spring.main.banner-mode=off"), Stream.of(arguments))
				.toArray(String[]::new));
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	int port() {
		return ((WebServerApplicationContext) this.context).getWebServer().getPort();
	}

	McpSyncClient client(String caller) {
		return client(caller, UnaryOperator.identity());
	}

	/**
	 * Connects a client.
	 * @param caller the tenant, a slash and the principal
	 */
	McpSyncClient client(String caller, UnaryOperator<McpClient.SyncSpec> customizer) {
		return client(port(), caller, customizer);
	}

	static McpSyncClient client(int port, String caller, UnaryOperator<McpClient.SyncSpec> customizer) {
		McpSyncClient client = customizer
			.apply(McpClient.sync(HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + port)
				.httpRequestCustomizer((request, method, uri, body, context) -> request.header(CALLER, caller))
				.build()).requestTimeout(Duration.ofSeconds(30)))
			.build();
		client.initialize();
		return client;
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

		@Bean
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
		TenantContextHolder tenants() {
			return new TenantContextHolder() {

				@Override
				public TenantContext current() {
					ServletRequestAttributes request = (ServletRequestAttributes) RequestContextHolder
						.currentRequestAttributes();
					String[] caller = request.getRequest().getHeader(CALLER).split("/");
					return new TenantContext(caller[0], caller[1]);
				}

				@Override
				public Scope bind(TenantContext context) {
					throw new UnsupportedOperationException();
				}

			};
		}

	}

}
