package io.kairo.autoconfigure.tools;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.kairo.tools.AgentTool;
import io.kairo.tools.text.EditDistance;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The names of tools in a property.
 *
 * @param property the name of the property
 * @param names names of tools; {@code *} for all
 * @param commands the tools that can be named even if they are absent without a sandbox
 */
record ToolNames(String property, List<String> names, List<String> commands) {

	Set<String> among(List<AgentTool> tools) {
		Set<String> known = new LinkedHashSet<>();
		tools.forEach((tool) -> known.add(tool.definition().name()));
		Set<String> named = new LinkedHashSet<>();
		for (String name : this.names) {
			if (name.equals("*")) {
				named.addAll(known);
			}
			else if (known.contains(name) || this.commands.contains(name)) {
				named.add(name);
			}
			else {
				throw new InvalidConfigurationPropertyValueException(this.property, name, "no tool has this name"
						+ nearest(name, known) + "; use one of " + known + ", or * for all tools");
			}
		}
		return named;
	}

	private static String nearest(String name, Set<String> known) {
		String lower = name.toLowerCase(Locale.ROOT);
		int farthest = Math.max(2, name.length() / 3);
		return known.stream()
			.min(Comparator.comparingInt((tool) -> distance(lower, tool)))
			.filter((tool) -> distance(lower, tool) <= farthest)
			.map((tool) -> "; did you mean " + tool + "?")
			.orElse("");
	}

	private static int distance(String lower, String tool) {
		return EditDistance.between(lower, tool.toLowerCase(Locale.ROOT));
	}

}
