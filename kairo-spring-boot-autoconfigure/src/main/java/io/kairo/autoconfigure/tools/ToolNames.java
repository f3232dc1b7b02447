package io.kairo.autoconfigure.tools;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.kairo.tools.AgentTool;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The names of tools in a property.
 *
 * @param property the name of the property
 * @param names names of tools; {@code *} for all
 * @param command the tool that can be named even if it is absent without a sandbox
 */
record ToolNames(String property, List<String> names, String command) {

	Set<String> among(List<AgentTool> tools) {
		Set<String> known = new LinkedHashSet<>();
		tools.forEach((tool) -> known.add(tool.definition().name()));
		Set<String> named = new LinkedHashSet<>();
		for (String name : this.names) {
			if (name.equals("*")) {
				named.addAll(known);
			}
			else if (known.contains(name) || this.command.equals(name)) {
				named.add(name);
			}
			else {
				throw new InvalidConfigurationPropertyValueException(this.property, name,
						"no tool has this name; use one of " + known + ", or * for all tools");
			}
		}
		return named;
	}

}
