package io.kairo.tools;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A builder of the JSON schema of the data of a tool's results. Results may have
 * properties beyond the schema. For use by one thread.
 *
 * @see ToolDefinition#outputSchema()
 */
public final class OutputSchema {

	/**
	 * The schema of a text.
	 */
	public static final Map<String, Object> STRING = Map.of("type", "string");

	/**
	 * The schema of a whole number.
	 */
	public static final Map<String, Object> INTEGER = Map.of("type", "integer");

	/**
	 * The schema of a truth value.
	 */
	public static final Map<String, Object> BOOLEAN = Map.of("type", "boolean");

	private final Map<String, Object> properties = new LinkedHashMap<>();

	private final List<String> required = new ArrayList<>();

	private final List<List<String>> alternatives = new ArrayList<>();

	/**
	 * Creates the schema of an object without properties.
	 */
	public OutputSchema() {
	}

	/**
	 * Adds a property that is always present.
	 * @param name the name
	 * @param type the schema of its values
	 * @param description a description
	 * @return this builder
	 */
	public OutputSchema required(String name, Map<String, Object> type, String description) {
		this.required.add(name);
		return optional(name, type, description);
	}

	/**
	 * Adds a property that may be missing.
	 * @param name the name
	 * @param type the schema of its values
	 * @param description a description
	 * @return this builder
	 */
	public OutputSchema optional(String name, Map<String, Object> type, String description) {
		Map<String, Object> property = new LinkedHashMap<>(type);
		property.put("description", description);
		this.properties.put(name, Collections.unmodifiableMap(property));
		return this;
	}

	/**
	 * Allows results that have other properties than the ones that are always present.
	 * @param names the names of the properties that such a result always has
	 * @return this builder
	 */
	public OutputSchema or(String... names) {
		this.alternatives.add(List.of(names));
		return this;
	}

	/**
	 * Returns the schema of a list.
	 * @param item the schema of its items
	 * @return the schema
	 */
	public static Map<String, Object> listOf(Map<String, Object> item) {
		return Map.of("type", "array", "items", item);
	}

	/**
	 * Returns the schema of an object with these properties.
	 * @return the schema
	 */
	public Map<String, Object> object() {
		Map<String, Object> schema = new LinkedHashMap<>();
		schema.put("type", "object");
		schema.put("properties", Collections.unmodifiableMap(new LinkedHashMap<>(this.properties)));
		schema.put("required", List.copyOf(this.required));
		return Collections.unmodifiableMap(schema);
	}

	/**
	 * Returns the schema of the results of a tool: of results with these properties, and
	 * of failures.
	 * @return the schema
	 */
	public Map<String, Object> results() {
		List<List<String>> wholes = new ArrayList<>();
		wholes.add(List.copyOf(this.required));
		wholes.addAll(this.alternatives);
		wholes.add(List.of("error", "message"));
		this.required.clear();
		optional("error", STRING, "Code of the error, if the call failed");
		optional("message", STRING, "Message of the error");
		optional("limit", STRING, "Limit that the call exceeds");
		optional("maximum", INTEGER, "Value of that limit");
		optional("retryAfterMs", INTEGER, "Time to wait before the next attempt, in milliseconds");
		Map<String, Object> schema = new LinkedHashMap<>(object());
		schema.remove("required");
		schema.put("anyOf", wholes.stream().map((names) -> Map.of("required", names)).toList());
		return Collections.unmodifiableMap(schema);
	}

}
