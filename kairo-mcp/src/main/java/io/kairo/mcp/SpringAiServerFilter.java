package io.kairo.mcp;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Leaves out the MCP server of Spring AI, since Kairo's takes its place, with the tools,
 * resources and prompts of the application: a second one would offer them unguarded.
 */
final class SpringAiServerFilter implements AutoConfigurationImportFilter, EnvironmentAware {

	private static final String PACKAGE = "org.springframework.ai.mcp.server.";

	/** Auto-configurations that make specifications of beans of the application. */
	private static final List<String> KEPT = List.of(".annotations.", "ToolCallbackConverterAutoConfiguration",
			"McpServerJsonMapperAutoConfiguration");

	private boolean enabled;

	@Override
	public void setEnvironment(Environment environment) {
		this.enabled = environment.getProperty("kairo.enabled", Boolean.class, true)
				&& environment.getProperty("kairo.mcp.enabled", Boolean.class, true);
	}

	@Override
	public boolean[] match(@Nullable String[] candidates, AutoConfigurationMetadata metadata) {
		boolean[] matches = new boolean[candidates.length];
		for (int i = 0; i < candidates.length; i++) {
			String candidate = candidates[i];
			matches[i] = !this.enabled || candidate == null || !candidate.startsWith(PACKAGE)
					|| KEPT.stream().anyMatch(candidate::contains);
		}
		return matches;
	}

}
