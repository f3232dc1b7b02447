package io.kairo.autoconfigure.mcp;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What an MCP server offers.
 *
 * @param expose names of the tools that MCP clients can call; * stands for all. By
 * default the tools that only read.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.mcp", ignoreUnknownFields = false)
public record McpProperties(@Nullable List<String> expose) {

	/**
	 * Creates the value.
	 * @param expose names of the tools that MCP clients can call, null for those that
	 * only read
	 */
	public McpProperties {
		expose = (expose != null) ? List.copyOf(expose) : null;
	}

}
