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
 * Base class of tools whose arguments are bound to a record. The JSON schema of the tool
 * is generated from the record. Aliases of parameters are accepted, unknown parameters
 * are refused.
 *
 * @param <I> the type of the record
 * @since 0.1.0
 */
public abstract class RecordTool<I extends Record> implements AgentTool {

	private static final TypeReference<Map<String, Object>> JSON_OBJECT = new TypeReference<>() {
	};

	private final JsonMapper mapper = JsonMapper.builder().disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT).build();

	private final Class<I> type;

	private final Map<String, String> aliases;

	/** The parameters of the record by their published names, in order. */
	private final Map<String, String> parameters = new LinkedHashMap<>();

	private final ToolDefinition definition;

	/**
	 * Creates a tool whose parameters have the names of the record.
	 * @param name the name of the tool
	 * @param description the description for models
	 * @param type the record of the arguments
	 * @param aliases other names of parameters, by which they are accepted too
	 * @param annotations the hints for clients
	 */
	protected RecordTool(String name, String description, Class<I> type, Map<String, String> aliases,
			ToolAnnotations annotations) {
		this(name, description, type, aliases, ToolNaming.CLAUDE, Map.of(), annotations);
	}

	/**
	 * Creates a tool.
	 * @param name the name of the tool
	 * @param description the description for models
	 * @param type the record of the arguments
	 * @param aliases other names of parameters, by which they are accepted too
	 * @param naming the names of the parameters
	 * @param defaults the values of the placeholders in descriptions of parameters, by
	 * the name of the parameter in the record
	 * @param annotations the hints for clients
	 */
	protected RecordTool(String name, String description, Class<I> type, Map<String, String> aliases, ToolNaming naming,
			Map<String, Object> defaults, ToolAnnotations annotations) {
		this(name, description, type, aliases, naming, defaults, annotations, null, ToolDefinition.Answer.TEXT);
	}

	/**
	 * Creates a tool with a schema of its data.
	 * @param name the name of the tool
	 * @param description the description for models
	 * @param type the record of the arguments
	 * @param aliases other names of parameters, by which they are accepted too
	 * @param naming the names of the parameters
	 * @param defaults the values of the placeholders in descriptions of parameters, by
	 * the name of the parameter in the record
	 * @param annotations the hints for clients
	 * @param output the schema of the data of results, of failures too; may be null
	 * @param answer the part of a result for models that get only one
	 * @see OutputSchema#results()
	 * @since 0.1.0
	 */
	protected RecordTool(String name, String description, Class<I> type, Map<String, String> aliases, ToolNaming naming,
			Map<String, Object> defaults, ToolAnnotations annotations, @Nullable Map<String, Object> output,
			ToolDefinition.Answer answer) {
		this.type = type;
		this.aliases = aliases;
		this.definition = new ToolDefinition(name, description, schema(naming, defaults), annotations, output, answer);
	}

	@Override
	public final ToolDefinition definition() {
		return this.definition;
	}

	/**
	 * Binds the arguments to the record and calls the tool. A result that continues with
	 * other arguments also repeats those of the call that it does not name.
	 * @throws ToolArgumentException if the arguments do not match the schema
	 */
	@Override
	public final ToolResult call(Map<String, Object> arguments, ToolContext context) {
		ToolResult result = call(bind(arguments), context);
		Map<String, Object> changed = result.complete().next();
		if (changed == null) {
			return result;
		}
		Map<String, Object> next = new LinkedHashMap<>(changed);
		arguments.forEach((name, value) -> {
			if (value != null && !changed.containsKey(shown(parameter(name)))) {
				next.put(name, value);
			}
		});
		Completeness complete = new Completeness(false, result.complete().reason(), Map.copyOf(next));
		return new ToolResult(result.text(), result.data(), result.error(), complete, result.attachment());
	}

	/**
	 * Calls the tool.
	 * @param input the arguments
	 * @param context the context of the call
	 * @return the result; it names the arguments to continue with only where they change
	 * @see AgentTool#call(Map, ToolContext)
	 */
	protected abstract ToolResult call(I input, ToolContext context);

	private I bind(Map<String, Object> arguments) {
		Map<String, Object> named = new LinkedHashMap<>();
		arguments.forEach((name, value) -> {
			String parameter = parameter(name);
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
	 * Returns the JSON schema of the arguments, unmodifiable.
	 */
	private Map<String, Object> schema(ToolNaming naming, Map<String, Object> defaults) {
		ObjectNode schema = generator().generateSchema(this.type);
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
		return unmodifiable(this.mapper.convertValue(schema, JSON_OBJECT));
	}

	/**
	 * Returns the name in the record of a published name or an alias.
	 */
	private String parameter(String name) {
		return this.parameters.getOrDefault(name, this.aliases.getOrDefault(name, name));
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
		return (this.definition.inputSchema().get("required") instanceof List<?> required) ? required : List.of();
	}

	private Object property(String parameter) {
		Object properties = this.definition.inputSchema().get("properties");
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
