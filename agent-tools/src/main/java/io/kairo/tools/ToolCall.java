package io.kairo.tools;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A call of a tool, as a model requests it. Immutable.
 *
 * @param id identifies the call in logs and results; empty when the caller has none
 * @param name the name of the tool
 * @param arguments the arguments as parsed JSON: strings, numbers, booleans, lists, maps
 * and null, copied
 */
public record ToolCall(String id, String name, Map<String, Object> arguments) {

	/**
	 * Creates the value.
	 */
	public ToolCall {
		Objects.requireNonNull(id, "id");
		Objects.requireNonNull(name, "name");
		// JSON has null values; Map.copyOf refuses them
		arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
	}

}
