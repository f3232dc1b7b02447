package io.kairo.mcp;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The identity and the address of the server. Values that are not set for Kairo are those
 * of Spring AI's server, whose place it takes.
 *
 * @param name the name of the server
 * @param version its version
 * @param instructions how to use it, null to say nothing
 * @param protocol the protocol
 * @param path the path of the endpoint
 */
record McpServerSettings(String name, String version, @Nullable String instructions, McpProperties.Protocol protocol,
		String path) {

	private static final String SPRING_AI = "spring.ai.mcp.server.";

	static McpServerSettings of(McpProperties properties, Environment environment) {
		return new McpServerSettings(
				first(properties.name(), environment, SPRING_AI + "name", "spring.application.name", "kairo"),
				first(properties.version(), environment, SPRING_AI + "version", "", "1.0.0"),
				(properties.instructions() != null)
						? properties.instructions() : environment.getProperty(SPRING_AI + "instructions"),
				protocol(environment),
				first(properties.path(), environment, SPRING_AI
						+ (protocol(environment).isStateless() ? "stateless" : "streamable-http") + ".mcp-endpoint",
						SPRING_AI + "streamable-http.mcp-endpoint", "/mcp"));
	}

	private static String first(@Nullable String own, Environment environment, String other, String another,
			String fallback) {
		return (own != null) ? own : environment.getProperty(other, environment.getProperty(another, fallback));
	}

	/**
	 * Returns the protocol of the server.
	 * @throws InvalidConfigurationPropertyValueException if it is one that Kairo does not
	 * speak
	 */
	static McpProperties.Protocol protocol(Environment environment) {
		McpProperties.Protocol own = Binder.get(environment)
			.bind("kairo.mcp.protocol", McpProperties.Protocol.class)
			.orElse(null);
		if (own != null) {
			return own;
		}
		if (environment.getProperty(SPRING_AI + "stdio", Boolean.class, false)) {
			return McpProperties.Protocol.STDIO;
		}
		String other = environment.getProperty(SPRING_AI + "protocol", "streamable").toLowerCase(Locale.ROOT);
		return switch (other) {
			case "streamable" -> McpProperties.Protocol.STREAMABLE;
			case "stateless" -> McpProperties.Protocol.STATELESS;
			default -> throw new InvalidConfigurationPropertyValueException(SPRING_AI + "protocol", other,
					"Kairo's MCP server, which takes the place of Spring AI's, speaks streamable HTTP: set streamable or "
							+ "stateless; the SSE protocol is deprecated, and clients of today know the others");
		};
	}

	boolean stateless() {
		return this.protocol.isStateless();
	}

	/**
	 * Matches an application that clients can reach.
	 */
	static class OnClients extends AnyNestedCondition {

		OnClients() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@Conditional(OnStdio.class)
		static class Stdio {

		}

		@ConditionalOnWebApplication
		static class Web {

		}

	}

	/**
	 * Matches a server over standard input and output.
	 */
	static class OnStdio implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return protocol(context.getEnvironment()) == McpProperties.Protocol.STDIO;
		}

	}

	/**
	 * Matches a server over HTTP.
	 */
	static class OnHttp extends OnStdio {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return !super.matches(context, metadata);
		}

	}

}
