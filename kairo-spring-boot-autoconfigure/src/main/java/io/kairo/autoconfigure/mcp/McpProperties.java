package io.kairo.autoconfigure.mcp;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Configuration properties for the MCP server.
 *
 * @param expose Names of the tools that MCP clients can call; * for all tools. By
 * default, the tools that only read.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.mcp", ignoreUnknownFields = false)
public record McpProperties(@Nullable List<String> expose) {

	/**
	 * Creates the properties.
	 * @param expose the names of the tools, null for the tools that only read
	 */
	public McpProperties {
		expose = (expose != null) ? List.copyOf(expose) : null;
	}

}
