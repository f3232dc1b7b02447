package io.kairo.autoconfigure.mcp;

import java.util.stream.Stream;

import org.springframework.ai.mcp.server.webflux.transport.WebFluxStatelessServerTransport;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;

/**
 * The stateless MCP server of a reactive application, as Spring AI's auto-configuration
 * for WebFlux makes it. That one would also take part in the servlet applications of
 * other tests.
 */
@Configuration(proxyBeanMethods = false)
public class WebFluxMcpServer {

	private static final String MVC_SERVER = "org.springframework.ai.mcp.server.webmvc.autoconfigure"
			+ ".McpServerStatelessWebMvcAutoConfiguration";

	private static final String TOMCAT = "org.springframework.boot.tomcat.autoconfigure.reactive"
			+ ".TomcatReactiveWebServerAutoConfiguration";

	/**
	 * Returns the properties of the application.
	 */
	public static Stream<String> properties() {
		return Stream.of("spring.main.web-application-type=reactive", "spring.ai.mcp.server.protocol=stateless",
				"spring.autoconfigure.exclude=" + MVC_SERVER + "," + TOMCAT);
	}

	@Bean
	WebFluxStatelessServerTransport webFluxStatelessServerTransport() {
		return WebFluxStatelessServerTransport.builder().messageEndpoint("/mcp").build();
	}

	@Bean
	RouterFunction<?> webFluxStatelessServerRouterFunction(WebFluxStatelessServerTransport transport) {
		return transport.getRouterFunction();
	}

}
