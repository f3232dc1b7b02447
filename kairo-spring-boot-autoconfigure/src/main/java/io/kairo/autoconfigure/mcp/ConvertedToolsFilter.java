package io.kairo.autoconfigure.mcp;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Removes the tools of the catalog from the tools that Spring AI derives from every
 * {@code ToolCallbackProvider}: its server would offer all of them to clients, regardless
 * of {@code kairo.mcp.expose}.
 */
final class ConvertedToolsFilter implements BeanPostProcessor {

	private static final Set<String> CONVERTED = Set.of("syncTools", "asyncTools");

	private final ObjectProvider<ToolCatalog> catalog;

	ConvertedToolsFilter(ObjectProvider<ToolCatalog> catalog) {
		this.catalog = catalog;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return (CONVERTED.contains(name) && bean instanceof List<?> specifications) ? filter(specifications) : bean;
	}

	private List<?> filter(List<?> specifications) {
		Set<String> own = this.catalog.getObject()
			.definitions()
			.stream()
			.map(ToolDefinition::name)
			.collect(Collectors.toSet());
		return specifications.stream().filter((specification) -> {
			String tool = toolName(specification);
			return tool == null || !own.contains(tool);
		}).toList();
	}

	private static @Nullable String toolName(Object specification) {
		if (specification instanceof McpServerFeatures.SyncToolSpecification sync) {
			return sync.tool().name();
		}
		if (specification instanceof McpServerFeatures.AsyncToolSpecification async) {
			return async.tool().name();
		}
		if (specification instanceof McpStatelessServerFeatures.SyncToolSpecification sync) {
			return sync.tool().name();
		}
		return (specification instanceof McpStatelessServerFeatures.AsyncToolSpecification async) ? async.tool().name()
				: null;
	}

}
