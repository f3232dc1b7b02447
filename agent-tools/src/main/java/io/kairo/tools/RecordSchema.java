package io.kairo.tools;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonOption;
import com.github.victools.jsonschema.module.jackson.JacksonSchemaModule;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON schema of the arguments of a {@link RecordTool}. Immutable.
 *
 * @param mapper binds arguments to the record
 * @param parameters the parameters of the record by their published names, in order
 * @param schema the schema, unmodifiable
 */
record RecordSchema(JsonMapper mapper, Map<String, String> parameters, Map<String, Object> schema) {

	private static final TypeReference<Map<String, Object>> JSON_OBJECT = new TypeReference<>() {
	};

	/**
	 * Generates the schema of a record.
	 */
	static RecordSchema of(Class<? extends Record> type, ToolNaming naming, Map<String, Object> defaults) {
		JsonMapper mapper = JsonMapper.builder()
			.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
			.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
			.build();
		Map<String, String> parameters = new LinkedHashMap<>();
		ObjectNode schema = generator(mapper).generateSchema(type);
		ObjectNode properties = (ObjectNode) schema.get("properties");
		ObjectNode named = mapper.createObjectNode();
		if (properties != null) {
			properties.forEachEntry((name, property) -> {
				if (defaults.containsKey(name)) {
					String description = property.get("description").stringValue();
					((ObjectNode) property).put("description", Phrase.of(description, defaults.get(name)));
					((ObjectNode) property).set("default", mapper.valueToTree(defaults.get(name)));
				}
				renameItems(property, naming);
				named.set(naming.parameter(name), property);
				parameters.put(naming.parameter(name), name);
			});
		}
		schema.set("properties", named);
		renameRequired(schema, naming);
		return new RecordSchema(mapper, Collections.unmodifiableMap(parameters),
				unmodifiable(mapper.convertValue(schema, JSON_OBJECT)));
	}

	private static void renameRequired(ObjectNode schema, ToolNaming naming) {
		if (schema.get("required") instanceof ArrayNode required) {
			ArrayNode all = required.arrayNode();
			required.forEach((name) -> all.add(naming.parameter(name.stringValue())));
			schema.set("required", all);
		}
	}

	/**
	 * Renames the properties of the objects of a list.
	 */
	private static void renameItems(JsonNode list, ToolNaming naming) {
		if (list.get("items") instanceof ObjectNode item && item.get("properties") instanceof ObjectNode properties) {
			ObjectNode named = item.objectNode();
			properties.forEachEntry((name, property) -> named.set(naming.parameter(name), property));
			item.set("properties", named);
			renameRequired(item, naming);
		}
	}

	/**
	 * Returns a view of a schema that is generated on first use, since this takes longer
	 * than everything else at the start of an application.
	 */
	static Map<String, Object> view(Supplier<RecordSchema> schema) {
		return new AbstractMap<>() {

			@Override
			public Set<Entry<String, Object>> entrySet() {
				return schema.get().schema().entrySet();
			}

		};
	}

	/**
	 * Returns the value of a parameter in the form of the schema.
	 * @param parameter the published name
	 * @param value the value, unchanged if it has the form already or cannot have it
	 */
	@Nullable Object decode(String parameter, @Nullable Object value) {
		return (this.schema.get("properties") instanceof Map<?, ?> properties
				&& properties.get(parameter) instanceof Map<?, ?> property) ? decode(property, value) : value;
	}

	private @Nullable Object decode(Map<?, ?> property, @Nullable Object value) {
		Object type = property.get("type");
		if ("integer".equals(type) && value instanceof Double number && number == number.longValue()) {
			return number.longValue();
		}
		if (!"array".equals(type) && !"object".equals(type)) {
			return value;
		}
		Object parsed = (value instanceof String text) ? parse(text) : value;
		if ("array".equals(type) && parsed != null && property.get("items") instanceof Map<?, ?> item) {
			List<?> elements = (parsed instanceof List<?> list) ? list : List.of(parsed);
			return elements.stream().map((element) -> decode(item, element)).collect(Collectors.toList());
		}
		return parsed;
	}

	/**
	 * Returns the list or the object that a text contains, or the text itself.
	 */
	private Object parse(String text) {
		try {
			Object parsed = this.mapper.readValue(text, Object.class);
			return (parsed instanceof List || parsed instanceof Map) ? parsed : text;
		}
		catch (JacksonException ex) {
			return text;
		}
	}

	/**
	 * Returns a value as JSON.
	 */
	String json(@Nullable Object value) {
		return this.mapper.writeValueAsString(value);
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

	private static SchemaGenerator generator(JsonMapper mapper) {
		SchemaGeneratorConfigBuilder builder = new SchemaGeneratorConfigBuilder(SchemaVersion.DRAFT_2020_12,
				OptionPreset.PLAIN_JSON);
		builder.with(Option.INLINE_ALL_SCHEMAS);
		builder.without(Option.SCHEMA_VERSION_INDICATOR);
		builder.with(new JacksonSchemaModule(JacksonOption.RESPECT_JSONPROPERTY_REQUIRED,
				JacksonOption.RESPECT_JSONPROPERTY_ORDER));
		builder.forFields().withDefaultResolver((field) -> {
			JsonProperty property = field.getAnnotationConsideringFieldAndGetter(JsonProperty.class);
			return (property == null || property.defaultValue().isEmpty()) ? null
					: mapper.convertValue(property.defaultValue(), field.getRawMember().getType());
		});
		return new SchemaGenerator(builder.build());
	}

}
