package io.kairo.mcp;

import java.time.Duration;
import java.util.List;

import io.kairo.boot.PropertyBounds;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the MCP server.
 *
 * @param enabled Whether to serve MCP. Otherwise Spring AI's server, if it is there,
 * works as it would without Kairo.
 * @param protocol Protocol of the server. By default, the one that is configured for
 * Spring AI's server, or else streamable.
 * @param path Path of the endpoint. By default, the one that is configured for Spring
 * AI's server, or else /mcp.
 * @param name Name of the server. By default, the one that is configured for Spring AI's
 * server, or else the name of the application.
 * @param version Version of the server. By default, the one that is configured for Spring
 * AI's server, or else 1.0.0.
 * @param instructions Instructions for the model on how to use the server. By default,
 * those that are configured for Spring AI's server.
 * @param applicationFeatures Whether to offer the tools, resources, prompts and
 * completions of the application as well: the specifications of the MCP SDK that are
 * beans, and what Spring AI makes of annotated methods and tool callbacks.
 * @param expose Names of the tools that MCP clients can call; * for all tools. By
 * default, the tools that only read.
 * @param structuredContent Tools whose results have structured content, and whose
 * definitions have an output schema. Many clients show their model the structured content
 * instead of the text.
 * @param allowedOrigins Origins of the web pages that can use the server, such as
 * https://agents.example.org; * for all. Their hosts are also accepted as the host of a
 * request on the loopback interface. Clients that are not browsers send no origin and
 * need no entry.
 * @param maxRequestSize Maximum size of a message from a client.
 * @param sessionTimeout Time after which an unused session ends.
 * @param heartbeatInterval Time between two comments on an open event stream and in the
 * answer to a request, which reveal that the client is gone.
 * @param limits Maximum numbers of what clients can hold at a time.
 * @param resources Files of the workspace as resources.
 * @param elicitation Approval of calls by the people at clients.
 */
@ConfigurationProperties("kairo.mcp")
public record McpProperties(@DefaultValue("true") boolean enabled, @Nullable Protocol protocol, @Nullable String path,
		@Nullable String name, @Nullable String version, @Nullable String instructions,
		@DefaultValue("true") boolean applicationFeatures, @Nullable List<String> expose,
		@DefaultValue("data") StructuredContent structuredContent, @DefaultValue List<String> allowedOrigins,
		@DefaultValue("16MB") DataSize maxRequestSize, @DefaultValue("1h") Duration sessionTimeout,
		@DefaultValue("15s") Duration heartbeatInterval, @DefaultValue Limits limits, @DefaultValue Resources resources,
		@DefaultValue Elicitation elicitation) {

	/**
	 * Creates and validates the properties.
	 * @param sessionTimeout above zero
	 * @param heartbeatInterval above zero
	 */
	public McpProperties {
		if (path != null && !path.startsWith("/")) {
			throw new InvalidConfigurationPropertyValueException("kairo.mcp.path", path, "a path starts with a slash");
		}
		expose = (expose != null) ? List.copyOf(expose) : null;
		allowedOrigins = List.copyOf(allowedOrigins);
		for (String origin : allowedOrigins) {
			if (!origin.equals("*") && McpOrigins.parse(origin) == null) {
				throw new InvalidConfigurationPropertyValueException("kairo.mcp.allowed-origins", origin,
						"an origin has a scheme, a host and perhaps a port, such as https://agents.example.org");
			}
		}
		if (maxRequestSize.toBytes() < 1 || maxRequestSize.toBytes() >= Integer.MAX_VALUE) {
			throw new InvalidConfigurationPropertyValueException("kairo.mcp.max-request-size", maxRequestSize,
					"it must be above zero and below 2GB");
		}
		new PropertyBounds("kairo.mcp.").positive("session-timeout", sessionTimeout)
			.positive("heartbeat-interval", heartbeatInterval);
	}

	/**
	 * The protocols of the server.
	 */
	public enum Protocol {

		/** Streamable HTTP with sessions. */
		STREAMABLE,

		/** Streamable HTTP without sessions, for several instances of the application. */
		STATELESS,

		/** Standard input and output, for one client on the same machine. */
		STDIO;

		boolean isStateless() {
			return this == STATELESS;
		}

	}

	/**
	 * The tools whose results have structured content.
	 */
	public enum StructuredContent {

		/** No tool: results are text alone. */
		NONE,

		/**
		 * Tools whose data programs rely on, such as {@code read_file}. The text of their
		 * results is the same data as JSON.
		 */
		DATA,

		/**
		 * All tools. The structured content of a tool that answers with text contains
		 * that text.
		 */
		ALL

	}

	/**
	 * Files of the workspace as resources, which clients read and subscribe to by URI.
	 *
	 * @param enabled Whether to offer files as resources. They are offered only if the
	 * tool that reads files is exposed.
	 * @param maxSize Maximum size of a file that is sent as a resource.
	 * @param pollInterval Time between two checks of the files that a tenant subscribes
	 * to. Many or large files are checked less often, as the checks of a tenant take at
	 * most a tenth of the time.
	 * @param subscriptionsPerSession Maximum number of subscriptions of a session.
	 * @param subscriptionsPerTenant Maximum number of subscriptions of a tenant.
	 */
	public record Resources(@DefaultValue("true") boolean enabled, @DefaultValue("5MB") DataSize maxSize,
			@DefaultValue("2s") Duration pollInterval, @DefaultValue("100") int subscriptionsPerSession,
			@DefaultValue("1000") int subscriptionsPerTenant) {

		private static final DataSize MAX_SIZE = DataSize.ofMegabytes(100);

		/**
		 * Creates and validates the properties.
		 * @param maxSize above zero, at most 100 MB
		 * @param pollInterval at least 10 milliseconds
		 */
		public Resources {
			if (maxSize.toBytes() < 1 || maxSize.compareTo(MAX_SIZE) > 0) {
				throw new InvalidConfigurationPropertyValueException("kairo.mcp.resources.max-size", maxSize,
						"it must be above zero and at most 100MB");
			}
			new PropertyBounds("kairo.mcp.resources.").atLeast("poll-interval", pollInterval, Duration.ofMillis(10))
				.atLeast("subscriptions-per-session", subscriptionsPerSession, 0)
				.atLeast("subscriptions-per-tenant", subscriptionsPerTenant, 0);
		}

	}

	/**
	 * Maximum numbers of what clients can hold at a time. The share of a tenant is lower
	 * than the total, so that one tenant cannot lock out the others.
	 *
	 * @param requests Maximum number of requests in progress, from their first byte to
	 * the last byte of their response. Keep it below the number of threads of the server.
	 * @param requestsPerTenant Maximum number of requests of a tenant in progress. While
	 * other tenants have requests in progress it is lower, so that some are left.
	 * @param streams Maximum number of open event streams, of which a session has one.
	 * Keep it below the number of connections that the server accepts.
	 * @param streamsPerTenant Maximum number of open event streams of a tenant. While
	 * other tenants have open event streams it is lower, so that some are left.
	 * @param sessions Maximum number of sessions. Beyond it, the tenant with the most
	 * sessions loses its least recently used one.
	 * @param sessionsPerTenant Maximum number of sessions of a tenant. Beyond it, the
	 * least recently used one ends.
	 */
	public record Limits(@DefaultValue("100") int requests, @DefaultValue("50") int requestsPerTenant,
			@DefaultValue("2000") int streams, @DefaultValue("1000") int streamsPerTenant,
			@DefaultValue("10000") int sessions, @DefaultValue("5000") int sessionsPerTenant) {

		/**
		 * Creates and validates the numbers.
		 * @param requests above zero
		 * @param requestsPerTenant above zero
		 * @param streams above zero
		 * @param streamsPerTenant above zero
		 * @param sessions above zero
		 * @param sessionsPerTenant above zero
		 */
		public Limits {
			new PropertyBounds("kairo.mcp.limits.").atLeast("requests", requests, 1)
				.atLeast("requests-per-tenant", requestsPerTenant, 1)
				.atLeast("streams", streams, 1)
				.atLeast("streams-per-tenant", streamsPerTenant, 1)
				.atLeast("sessions", sessions, 1)
				.atLeast("sessions-per-tenant", sessionsPerTenant, 1);
		}

	}

	/**
	 * Approval of calls by the people at clients.
	 *
	 * @param enabled Whether to ask the client of a call that needs approval. A client
	 * that answers without asking a person approves its own calls.
	 * @param timeout Time to wait for the answer of a client. Applies to all requests of
	 * the server to its clients.
	 */
	public record Elicitation(@DefaultValue("false") boolean enabled, @DefaultValue("10m") Duration timeout) {

		/**
		 * Creates and validates the properties.
		 * @param timeout above zero
		 */
		public Elicitation {
			new PropertyBounds("kairo.mcp.").positive("elicitation.timeout", timeout);
		}

	}

}
