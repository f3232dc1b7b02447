package io.kairo.autoconfigure.mcp;

import java.util.stream.Stream;

import org.springframework.ai.mcp.server.webflux.transport.WebFluxStatelessServerTransport;
import org.springframework.ai.mcp.server.webflux.transport.WebFluxStreamableServerTransportProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;

/**
 * The MCP server of a reactive application, as Spring AI's auto-configuration for WebFlux
 * makes it. That one would also take part in the servlet applications of other tests.
 */
@Configuration(proxyBeanMethods = false)
public class WebFluxMcpServer {

	private static final String MVC = "org.springframework.ai.mcp.server.webmvc.autoconfigure.";

	private static final String TOMCAT = "org.springframework.boot.tomcat.autoconfigure.reactive"
			+ ".TomcatReactiveWebServerAutoConfiguration";

	/**
	 * Returns the properties of the application.
	 * @param protocol the protocol of the server
	 */
	public static Stream<String> properties(String protocol) {
		return Stream.of("spring.main.web-application-type=reactive", "spring.reactor.netty.shutdown-quiet-period=0s",
				"spring.ai.mcp.server.protocol=" + protocol,
				"spring.autoconfigure.exclude=" + MVC + "McpServerStatelessWebMvcAutoConfiguration," + MVC
						+ "McpServerStreamableHttpWebMvcAutoConfiguration," + TOMCAT);
	}

	/**
	 * The server without sessions.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "spring.ai.mcp.server.protocol", havingValue = "stateless")
	static class Stateless {

		@Bean
		WebFluxStatelessServerTransport webFluxStatelessServerTransport() {
			return WebFluxStatelessServerTransport.builder().messageEndpoint("/mcp").build();
		}

		@Bean
		RouterFunction<?> webFluxStatelessServerRouterFunction(WebFluxStatelessServerTransport transport) {
			return transport.getRouterFunction();
		}

	}

	/**
	 * The server with sessions.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "spring.ai.mcp.server.protocol", havingValue = "streamable")
	static class Streamable {

		@Bean
		WebFluxStreamableServerTransportProvider webFluxStreamableServerTransportProvider() {
			return WebFluxStreamableServerTransportProvider.builder().messageEndpoint("/mcp").build();
		}

		@Bean
		RouterFunction<?> webFluxStreamableServerRouterFunction(WebFluxStreamableServerTransportProvider transport) {
			return transport.getRouterFunction();
		}

	}

}
