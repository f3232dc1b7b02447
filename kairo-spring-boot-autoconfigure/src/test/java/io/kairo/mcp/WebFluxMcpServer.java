package io.kairo.mcp;

import java.util.stream.Stream;

/**
 * The MCP server of a reactive application.
 */
public final class WebFluxMcpServer {

	private static final String TOMCAT = "org.springframework.boot.tomcat.autoconfigure.reactive"
			+ ".TomcatReactiveWebServerAutoConfiguration";

	private WebFluxMcpServer() {
	}

	/**
	 * Returns the properties of the application.
	 * @param protocol the protocol of the server
	 */
	public static Stream<String> properties(String protocol) {
		return Stream.of("spring.main.web-application-type=reactive", "spring.reactor.netty.shutdown-quiet-period=0s",
				"kairo.mcp.protocol=" + protocol, "spring.autoconfigure.exclude=" + TOMCAT);
	}

}
