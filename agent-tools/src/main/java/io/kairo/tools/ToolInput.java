package io.kairo.tools;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import com.github.victools.jsonschema.module.jackson.JacksonSchemaModule;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The input of a tool: generates the JSON schema of its record and binds arguments to it.
 * Aliases of parameters are accepted, unknown parameters are refused.
 *
 * @param <I> the type of the record
 * @since 0.1.0
 */
public final class ToolInput<I extends Record> {

	private static final TypeReference<Map<String, Object>> JSON_OBJECT = new TypeReference<>() {
	};

	private final JsonMapper mapper = JsonMapper.builder().disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT).build();

	private final Class<I> type;

	private final Map<String, String> aliases;

	private final Map<String, Object> schema;

	/** The parameters of the record by their published names, in order. */
	private final Map<String, String> parameters = new LinkedHashMap<>();

	/**
	 * Creates an input whose parameters have the names of the record.
	 * @param type the record
	 * @param aliases other names of parameters, by which they are accepted too
	 */
	public ToolInput(Class<I> type, Map<String, String> aliases) {
		this(type, aliases, ToolNaming.CLAUDE, Map.of());
	}

	/**
	 * Creates an input.
	 * @param type the record
	 * @param aliases other names of parameters, by which they are accepted too
	 * @param naming the names of the parameters
	 * @param defaults the values of the placeholders in descriptions of parameters, by
	 * the name of the parameter in the record
	 */
	public ToolInput(Class<I> type, Map<String, String> aliases, ToolNaming naming, Map<String, Object> defaults) {
		this.type = type;
		this.aliases = aliases;
		ObjectNode schema = generator().generateSchema(type);
		ObjectNode properties = (ObjectNode) schema.get("properties");
		ObjectNode named = this.mapper.createObjectNode();
		if (properties != null) {
			properties.forEachEntry((name, property) -> {
				if (defaults.containsKey(name)) {
					String description = property.get("description").stringValue();
					((ObjectNode) property).put("description", Phrase.of(description, defaults.get(name)));
				}
				named.set(naming.parameter(name), property);
				this.parameters.put(naming.parameter(name), name);
			});
		}
		schema.set("properties", named);
		if (schema.get("required") instanceof ArrayNode required) {
			ArrayNode all = this.mapper.createArrayNode();
			required.forEach((name) -> all.add(naming.parameter(name.stringValue())));
			schema.set("required", all);
		}
		this.schema = unmodifiable(this.mapper.convertValue(schema, JSON_OBJECT));
	}

	/**
	 * Returns the JSON schema of the arguments.
	 * @return the schema, unmodifiable
	 */
	public Map<String, Object> schema() {
		return this.schema;
	}

	/**
	 * Binds the arguments of a call to the record.
	 * @param arguments the arguments as parsed JSON
	 * @return the record
	 * @throws ToolArgumentException if the arguments do not match the schema
	 */
	public I bind(Map<String, Object> arguments) {
		Map<String, Object> named = new LinkedHashMap<>();
		arguments.forEach((name, value) -> {
			String parameter = this.parameters.getOrDefault(name, this.aliases.getOrDefault(name, name));
			if (!this.parameters.containsValue(parameter)) {
				throw new ToolArgumentException("There is no parameter '" + name + "'.",
						this.parameters.isEmpty() ? "Call the tool without any."
								: "Known parameters: " + String.join(", ", this.parameters.keySet()) + ".");
			}
			if (value != null && named.putIfAbsent(parameter, value) != null) {
				throw new ToolArgumentException("The parameter '" + shown(parameter) + "' is given twice.",
						"Give it once, as '" + shown(parameter) + "'.");
			}
		});
		for (Object parameter : required()) {
			if (!named.containsKey(this.parameters.get(parameter))) {
				throw new ToolArgumentException("The parameter '" + parameter + "' is missing.",
						"Call the tool again with it.");
			}
		}
		try {
			return this.mapper.convertValue(named, this.type);
		}
		catch (JacksonException ex) {
			if (ex.getCause() instanceof ParameterException problem) {
				throw problem.named(this::shown);
			}
			if (ex.getCause() instanceof ToolArgumentException problem) {
				throw problem;
			}
			String parameter = ex.getPath().isEmpty() ? "" : String.valueOf(ex.getPath().get(0).getPropertyName());
			throw new ToolArgumentException(
					"The parameter '" + shown(parameter) + "' cannot be " + describe(named.get(parameter)) + ".",
					"Give it as the schema says: " + property(shown(parameter)) + ".");
		}
	}

	/**
	 * Returns the published name of a parameter of the record.
	 */
	private String shown(String parameter) {
		for (Map.Entry<String, String> known : this.parameters.entrySet()) {
			if (known.getValue().equals(parameter)) {
				return known.getKey();
			}
		}
		return parameter;
	}

	private List<?> required() {
		return (this.schema.get("required") instanceof List<?> required) ? required : List.of();
	}

	private Object property(String parameter) {
		Object properties = this.schema.get("properties");
		return (properties instanceof Map<?, ?> map && map.get(parameter) != null) ? map.get(parameter) : "{}";
	}

	private static Map<String, Object> unmodifiable(Map<String, Object> object) {
		Map<String, Object> copy = new LinkedHashMap<>();
		object.forEach((name, value) -> copy.put(name, unmodifiableValue(value)));
		return Collections.unmodifiableMap(copy);
	}

	@SuppressWarnings("unchecked")
	private static Object unmodifiableValue(Object value) {
		if (value instanceof Map<?, ?> object) {
			return unmodifiable((Map<String, Object>) object);
		}
		return (value instanceof List<?> list) ? List.copyOf(list) : value;
	}

	private static String describe(@Nullable Object value) {
		return WorkspacePath.quote(String.valueOf(value));
	}

	private static SchemaGenerator generator() {
		SchemaGeneratorConfigBuilder builder = new SchemaGeneratorConfigBuilder(SchemaVersion.DRAFT_2020_12,
				OptionPreset.PLAIN_JSON);
		builder.with(Option.INLINE_ALL_SCHEMAS);
		builder.without(Option.SCHEMA_VERSION_INDICATOR);
		builder.with(new JacksonSchemaModule(JacksonOption.RESPECT_JSONPROPERTY_REQUIRED,
				JacksonOption.RESPECT_JSONPROPERTY_ORDER));
		return new SchemaGenerator(builder.build());
	}

}
