package io.kairo.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * {@link Endpoint} for the tools of the catalog and their schemas.
 */
@Endpoint(id = "kairotools", defaultAccess = Access.READ_ONLY)
public class ToolsEndpoint {

	private final ToolCatalog catalog;

	ToolsEndpoint(ToolCatalog catalog) {
		this.catalog = catalog;
	}

	/**
	 * Returns the tools.
	 * @return the tools in the order of the catalog
	 */
	@ReadOperation
	public Tools tools() {
		return new Tools(this.catalog.definitions().stream().map(Tool::of).toList());
	}

	/**
	 * Returns a tool.
	 * @param name its name
	 * @return the tool, null if there is none
	 */
	@ReadOperation
	public @Nullable Tool tool(@Selector String name) {
		return this.catalog.definitions()
			.stream()
			.filter((definition) -> definition.name().equals(name))
			.map(Tool::of)
			.findFirst()
			.orElse(null);
	}

	/**
	 * The tools.
	 *
	 * @param tools the tools
	 */
	public record Tools(List<Tool> tools) {

	}

	/**
	 * A tool.
	 *
	 * @param name the name of the tool
	 * @param description the description of the tool
	 * @param inputSchema the JSON schema of its arguments
	 * @param annotations hints for clients
	 */
	public record Tool(String name, String description, Map<String, Object> inputSchema, ToolAnnotations annotations) {

		static Tool of(ToolDefinition definition) {
			return new Tool(definition.name(), definition.description(), definition.inputSchema(),
					definition.annotations());
		}

	}

}
