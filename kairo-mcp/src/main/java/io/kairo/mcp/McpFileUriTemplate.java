package io.kairo.mcp;

import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.util.McpUriTemplateManager;

/**
 * Matches the URIs of files with slashes in the path, since the SDK does not. Not needed
 * behind {@link McpRequestFilter}, since that encodes the slashes.
 */
final class McpFileUriTemplate implements McpUriTemplateManager {

	private static final String VARIABLE = "path";

	@Override
	public List<String> getVariableNames() {
		return List.of(VARIABLE);
	}

	@Override
	public Map<String, String> extractVariableValues(String uri) {
		return matches(uri) ? Map.of(VARIABLE, uri.substring(McpFileUri.PREFIX.length())) : Map.of();
	}

	@Override
	public boolean matches(String uri) {
		return McpFileUri.isFile(uri);
	}

	@Override
	public boolean isUriTemplate(String uri) {
		return uri.equals(McpFileUri.TEMPLATE);
	}

}
