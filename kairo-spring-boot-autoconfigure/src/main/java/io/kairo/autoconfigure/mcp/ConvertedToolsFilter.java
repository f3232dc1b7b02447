package io.kairo.autoconfigure.mcp;

import java.util.List;
import java.util.Set;

import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Removes the tools of the catalog from the tools that Spring AI derives from every
 * {@code ToolCallbackProvider}: its server would offer all of them to clients, regardless
 * of {@code kairo.mcp.expose}. A tool of the application is kept, also under the name of
 * a tool of the catalog that is not exposed.
 */
final class ConvertedToolsFilter implements BeanPostProcessor {

	private static final Set<String> CONVERTED = Set.of("syncTools", "asyncTools");

	private static final Set<String> OWN = Set.of("kairoMcpToolSpecifications", "kairoMcpStatelessToolSpecifications");

	private final ObjectProvider<ToolCatalog> catalog;

	private final ObjectProvider<McpExposure> exposure;

	ConvertedToolsFilter(ObjectProvider<ToolCatalog> catalog, ObjectProvider<McpExposure> exposure) {
		this.catalog = catalog;
		this.exposure = exposure;
	}

	/**
	 * Filters a list of specifications.
	 * @throws ToolNameCollisionException if a tool from outside the catalog has the name
	 * of an exposed tool
	 */
	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (OWN.contains(name) || !(bean instanceof List<?> specifications) || specifications.isEmpty()
				|| tool(specifications.get(0)) == null) {
			return bean;
		}
		List<?> others = CONVERTED.contains(name) ? specifications.stream().filter((each) -> !isOwn(each)).toList()
				: specifications;
		others.forEach((each) -> requireOtherName(tool(each), name));
		return others;
	}

	private boolean isOwn(Object specification) {
		Tool tool = tool(specification);
		return tool != null && this.catalog.getObject().definitions().stream().anyMatch((own) -> isSame(own, tool));
	}

	/**
	 * Returns whether a tool was derived from the catalog's tool, perhaps by way of a
	 * decorator that describes it differently.
	 */
	private static boolean isSame(ToolDefinition own, Tool tool) {
		return own.name().equals(tool.name())
				&& (own.description().equals(tool.description()) || own.inputSchema().equals(tool.inputSchema()));
	}

	private void requireOtherName(@Nullable Tool tool, String bean) {
		if (tool != null) {
			this.exposure.getObject()
				.exposed()
				.stream()
				.filter((own) -> own.name().equals(tool.name()))
				.findFirst()
				.ifPresent((own) -> {
					throw new ToolNameCollisionException(own.name(), own.description(),
							String.valueOf(tool.description()), bean);
				});
		}
	}

	private static @Nullable Tool tool(Object specification) {
		if (specification instanceof McpServerFeatures.SyncToolSpecification sync) {
			return sync.tool();
		}
		if (specification instanceof McpServerFeatures.AsyncToolSpecification async) {
			return async.tool();
		}
		if (specification instanceof McpStatelessServerFeatures.SyncToolSpecification sync) {
			return sync.tool();
		}
		return (specification instanceof McpStatelessServerFeatures.AsyncToolSpecification async) ? async.tool() : null;
	}

}
