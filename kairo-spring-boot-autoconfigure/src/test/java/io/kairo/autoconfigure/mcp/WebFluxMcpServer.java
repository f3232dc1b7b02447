package io.kairo.autoconfigure.mcp;

import java.util.stream.Stream;

import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import org.springframework.ai.mcp.server.webflux.transport.WebFluxStatelessServerTransport;
import org.springframework.ai.mcp.server.webmvc.autoconfigure.McpServerStatelessWebMvcAutoConfiguration;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;

/**
 * The stateless MCP server of a reactive application, as Spring AI's auto-configuration
 * for WebFlux makes it. That one would also take part in the servlet applications of other
 * tests.
 */
@Configuration(proxyBeanMethods = false)
public class WebFluxMcpServer {

	/**
	 * Returns the properties of the application.
	 */
	public static Stream<String> properties() {
		return Stream.of("spring.main.web-application-type=reactive", "spring.ai.mcp.server.protocol=stateless",
				"spring.autoconfigure.exclude=" + McpServerStatelessWebMvcAutoConfiguration.class.getName() + ","
						+ TomcatReactiveWebServerAutoConfiguration.class.getName());
	}

	@Bean
	WebFluxStatelessServerTransport webFluxStatelessServerTransport(@Qualifier("mcpServerJsonMapper") JsonMapper mapper) {
		return WebFluxStatelessServerTransport.builder()
			.jsonMapper(new JacksonMcpJsonMapper(mapper))
			.messageEndpoint("/mcp")
			.build();
	}

	@Bean
	RouterFunction<?> webFluxStatelessServerRouterFunction(WebFluxStatelessServerTransport transport) {
		return transport.getRouterFunction();
	}

}
