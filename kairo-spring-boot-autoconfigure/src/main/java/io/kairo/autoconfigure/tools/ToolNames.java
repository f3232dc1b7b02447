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
 * @param absent the tools of Kairo that can be named even if they are absent
 */
public record ToolNames(String property, List<String> names, List<String> absent) {

	Set<String> among(List<AgentTool> tools) {
		Set<String> known = new LinkedHashSet<>();
		tools.forEach((tool) -> known.add(tool.definition().name()));
		Set<String> named = new LinkedHashSet<>();
		for (String name : this.names) {
			if (name.equals("*")) {
				named.addAll(known);
			}
			else if (known.contains(name) || this.absent.contains(name)) {
				named.add(name);
			}
			else {
				throw new InvalidConfigurationPropertyValueException(this.property, name,
						unknown(name, known) + ", or * for all tools");
			}
		}
		return named;
	}

	/**
	 * Describes the problem of a name that no tool has.
	 * @param name the name
	 * @param known the names of tools
	 * @return the problem with the nearest name and all others
	 */
	public static String unknown(String name, Set<String> known) {
		return "no tool has this name" + nearest(name.replaceAll("[*?]", ""), known) + "; use one of " + known;
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
