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
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The input of one tool: the JSON schema of its record, and the way from arguments to the
 * record. Aliases of parameters are accepted, unknown parameters are not.
 */
final class ToolInput<I extends Record> {

	private static final TypeReference<Map<String, Object>> JSON_OBJECT = new TypeReference<>() {
	};

	private final JsonMapper mapper = JsonMapper.builder().disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT).build();

	private final Class<I> type;

	private final Map<String, String> aliases;

	private final Map<String, Object> schema;

	private final List<String> parameters;

	ToolInput(Class<I> type, Map<String, String> aliases) {
		this.type = type;
		this.aliases = aliases;
		ObjectNode schema = generator().generateSchema(type);
		this.schema = unmodifiable(this.mapper.convertValue(schema, JSON_OBJECT));
		this.parameters = List.copyOf(schema.get("properties").propertyNames());
	}

	Map<String, Object> schema() {
		return this.schema;
	}

	I bind(Map<String, Object> arguments) {
		Map<String, Object> named = new LinkedHashMap<>();
		arguments.forEach((name, value) -> {
			String parameter = this.aliases.getOrDefault(name, name);
			if (!this.parameters.contains(parameter)) {
				throw new ToolArgumentException("There is no parameter '" + name + "'.",
						"Known parameters: " + String.join(", ", this.parameters) + ".");
			}
			if (value != null && named.putIfAbsent(parameter, value) != null) {
				throw new ToolArgumentException("The parameter '" + parameter + "' is given twice.",
						"Give it once, as '" + parameter + "'.");
			}
		});
		for (Object parameter : required()) {
			if (!named.containsKey(parameter)) {
				throw new ToolArgumentException("The parameter '" + parameter + "' is missing.",
						"Call the tool again with it.");
			}
		}
		try {
			return this.mapper.convertValue(named, this.type);
		}
		catch (JacksonException ex) {
			if (ex.getCause() instanceof ToolArgumentException problem) {
				throw problem;
			}
			String parameter = ex.getPath().isEmpty() ? "" : String.valueOf(ex.getPath().get(0).getPropertyName());
			throw new ToolArgumentException(
					"The parameter '" + parameter + "' cannot be " + describe(named.get(parameter)) + ".",
					"Give it as the schema says: " + property(parameter) + ".");
		}
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
