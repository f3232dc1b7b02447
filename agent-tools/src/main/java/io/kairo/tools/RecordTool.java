package io.kairo.tools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Base class of tools whose arguments are bound to a record. The JSON schema of the tool
 * is generated from the record when it is needed first. Aliases of parameters are
 * accepted, unknown parameters are refused.
 *
 * @param <I> the type of the record
 */
public abstract class RecordTool<I extends Record> implements AgentTool {

	/** A name of a tool or a parameter in a description. */
	private static final Pattern NAME = Pattern.compile("\\{(-?[A-Za-z_]+)}");

	/** A part of a description for catalogs that have another tool. */
	private static final Pattern PART = Pattern.compile("\\[([^\\[\\]]*\\{([A-Z][A-Za-z]+)}[^\\[\\]]*)]");

	private final Class<I> type;

	private final Map<String, String> aliases;

	private final OnDemand<RecordSchema> schema;

	private final String description;

	private final ToolNaming naming;

	private final ToolDefinition definition;

	/**
	 * Creates a tool whose parameters have the names of the record.
	 * @param name the name of the tool
	 * @param description the description for models; the name of a tool or a parameter of
	 * Kairo in braces, such as <code>{Read}</code>, becomes its name under the naming,
	 * and a part in brackets that names a tool in this way is left out where there is no
	 * such tool
	 * @param type the record of the arguments
	 * @param aliases other accepted names of parameters
	 * @param annotations the hints for clients
	 */
	protected RecordTool(String name, String description, Class<I> type, Map<String, String> aliases,
			ToolAnnotations annotations) {
		this(name, description, type, aliases, ToolNaming.CLAUDE, Map.of(), annotations);
	}

	/**
	 * Creates a tool.
	 * @param name the name of the tool
	 * @param description the description for models; the name of a tool or a parameter of
	 * Kairo in braces, such as <code>{Read}</code>, becomes its name under the naming,
	 * and a part in brackets that names a tool in this way is left out where there is no
	 * such tool
	 * @param type the record of the arguments
	 * @param aliases other accepted names of parameters
	 * @param naming the names of the parameters
	 * @param defaults the default values of parameters, by the name of the parameter in
	 * the record: for the schema, and for a placeholder in the description of the
	 * parameter. Fixed ones may be given as {@link JsonProperty#defaultValue()} instead
	 * @param annotations the hints for clients
	 */
	protected RecordTool(String name, String description, Class<I> type, Map<String, String> aliases, ToolNaming naming,
			Map<String, Object> defaults, ToolAnnotations annotations) {
		this(name, description, type, aliases, naming, defaults, annotations, null, ToolDefinition.Answer.TEXT);
	}

	/**
	 * Creates a tool with a schema of its data.
	 * @param name the name of the tool
	 * @param description the description for models; the name of a tool or a parameter of
	 * Kairo in braces, such as <code>{Read}</code>, becomes its name under the naming,
	 * and a part in brackets that names a tool in this way is left out where there is no
	 * such tool
	 * @param type the record of the arguments
	 * @param aliases other accepted names of parameters
	 * @param naming the names of the parameters
	 * @param defaults the default values of parameters, by the name of the parameter in
	 * the record: for the schema, and for a placeholder in the description of the
	 * parameter. Fixed ones may be given as {@link JsonProperty#defaultValue()} instead
	 * @param annotations the hints for clients
	 * @param output the schema of the data of results, of failures too; may be null
	 * @param answer the part of a result for models that get only one
	 * @see OutputSchema#results()
	 */
	protected RecordTool(String name, String description, Class<I> type, Map<String, String> aliases, ToolNaming naming,
			Map<String, Object> defaults, ToolAnnotations annotations, @Nullable Map<String, Object> output,
			ToolDefinition.Answer answer) {
		this.type = type;
		this.aliases = aliases;
		this.schema = new OnDemand<>(() -> RecordSchema.of(type, naming, defaults));
		this.description = description;
		this.naming = naming;
		this.definition = new ToolDefinition(name, described("", (tool) -> true), RecordSchema.view(this.schema),
				annotations, output, answer, identity(name));
	}

	private @Nullable String identity(String name) {
		boolean bundled = getClass().getPackageName().startsWith(AgentTool.class.getPackageName() + ".");
		return bundled ? ToolNaming.identity(name) : null;
	}

	/**
	 * Returns the definition of this tool where the tools of Kairo have a prefix: in its
	 * name, and in the names of other tools in its description.
	 * @param prefix the prefix
	 * @return the definition with the longer names
	 */
	public final ToolDefinition definition(String prefix) {
		return this.definition.withName(prefix + this.definition.name())
			.withDescription(described(prefix, (tool) -> true));
	}

	/**
	 * Returns the definition of this tool among others, where the tools of Kairo have a
	 * prefix.
	 * @param prefix the prefix
	 * @param tools the names of all tools, with their prefix
	 * @return the definition, without the parts of the description that are about other
	 * tools of Kairo
	 */
	public final ToolDefinition definition(String prefix, Set<String> tools) {
		return definition(prefix).withDescription(described(prefix, tools::contains));
	}

	@Override
	public final ToolDefinition definitionAmong(Set<String> tools) {
		return definition("", tools);
	}

	private String described(String prefix, Predicate<String> tools) {
		String parts = PART.matcher(this.description).replaceAll((part) -> {
			String tool = part.group(2);
			return Matcher.quoteReplacement(!ToolNaming.knows(tool) ? part.group()
					: tools.test(prefix + this.naming.tool(tool)) ? part.group(1) : "");
		});
		return NAME.matcher(parts).replaceAll((name) -> Matcher.quoteReplacement(named(prefix, name.group(1))));
	}

	private String named(String prefix, String name) {
		if (ToolNaming.knows(name)) {
			return prefix + this.naming.tool(name);
		}
		return ToolNaming.knowsParameter(name) ? this.naming.parameter(name) : "{" + name + "}";
	}

	@Override
	public final ToolDefinition definition() {
		return this.definition;
	}

	/**
	 * Decodes lists and objects that are given as JSON text, a list of one element that
	 * is given without brackets, and whole numbers with a decimal point.
	 */
	@Override
	public final Map<String, Object> decode(Map<String, Object> arguments) {
		Map<String, Object> decoded = new LinkedHashMap<>(arguments);
		decoded.replaceAll((name, value) -> this.schema.get().decode(shown(parameter(name)), value));
		return decoded;
	}

	/**
	 * Binds the arguments to the record and validates it.
	 * @throws ToolArgumentException if they do not match the schema
	 */
	@Override
	public final @Nullable ToolResult validate(Map<String, Object> arguments) {
		return validate(bind(arguments));
	}

	/**
	 * Validates arguments beyond the checks of binding. By default all bound arguments
	 * are valid.
	 * @param input the arguments
	 * @return the failure of the call, null if they are valid
	 * @throws ToolArgumentException if they are invalid
	 * @see AgentTool#validate(Map)
	 */
	protected @Nullable ToolResult validate(I input) {
		return null;
	}

	@Override
	public final @Nullable ToolResult foresee(Map<String, Object> arguments, ToolContext context) {
		return foresee(bind(arguments), context);
	}

	/**
	 * Returns the failure of a call if it were made now. Changes nothing. By default none
	 * is foreseen.
	 * @param input the arguments
	 * @param context the context of the call
	 * @return the failure, null if none is foreseen
	 * @see AgentTool#foresee(Map, ToolContext)
	 */
	protected @Nullable ToolResult foresee(I input, ToolContext context) {
		return null;
	}

	/**
	 * Binds the arguments to the record and calls the tool. A result that continues with
	 * other arguments also repeats the call's arguments that it does not name.
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
		decode(arguments).forEach((name, value) -> {
			String parameter = parameter(name);
			if (!parameters().containsValue(parameter)) {
				throw new ToolArgumentException("There is no parameter '" + name + "'.",
						parameters().isEmpty() ? "Call the tool without any."
								: "Known parameters: " + String.join(", ", parameters().keySet()) + ".");
			}
			if (value != null && named.putIfAbsent(parameter, value) != null) {
				throw new ToolArgumentException("The parameter '" + shown(parameter) + "' is given twice.",
						"Give it once, as '" + shown(parameter) + "'.");
			}
		});
		for (Object parameter : required()) {
			if (!named.containsKey(parameters().get(parameter))) {
				throw new ToolArgumentException("The parameter '" + parameter + "' is missing.",
						"Call the tool again with it.");
			}
		}
		try {
			return this.schema.get().mapper().convertValue(named, this.type);
		}
		catch (JacksonException ex) {
			if (ex.getCause() instanceof ParameterException problem) {
				throw problem.named(this::shown);
			}
			if (ex.getCause() instanceof ToolArgumentException problem) {
				throw problem;
			}
			if (ex instanceof UnrecognizedPropertyException unknown) {
				throw unknown(unknown);
			}
			String parameter = ex.getPath().isEmpty() ? "" : String.valueOf(ex.getPath().get(0).getPropertyName());
			throw new ToolArgumentException(
					"The parameter '" + shown(parameter) + "' cannot be " + describe(named.get(parameter)) + ".",
					"Give it as the schema says: " + this.schema.get().json(property(shown(parameter))) + ".");
		}
	}

	/**
	 * Returns the refusal of an unknown property of an object in a list.
	 */
	private ToolArgumentException unknown(UnrecognizedPropertyException ex) {
		String list = shown(String.valueOf(ex.getPath().get(0).getPropertyName()));
		Object known = (this.definition.inputSchema().get("properties") instanceof Map<?, ?> all
				&& all.get(list) instanceof Map<?, ?> property && property.get("items") instanceof Map<?, ?> item
				&& item.get("properties") instanceof Map<?, ?> properties) ? properties.keySet() : List.of();
		return new ToolArgumentException("There is no parameter '" + ex.getPropertyName() + "' in '" + list + "'.",
				"Known parameters there: " + String.valueOf(known).replaceAll("[\\[\\]]", "") + ".");
	}

	private Map<String, String> parameters() {
		return this.schema.get().parameters();
	}

	/**
	 * Returns the name in the record of a published name or an alias.
	 */
	private String parameter(String name) {
		return parameters().getOrDefault(name, this.aliases.getOrDefault(name, name));
	}

	/**
	 * Returns the published name of a parameter of the record.
	 */
	private String shown(String parameter) {
		for (Map.Entry<String, String> known : parameters().entrySet()) {
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
		return (properties instanceof Map<?, ?> map && map.get(parameter) != null) ? map.get(parameter) : Map.of();
	}

	private String describe(@Nullable Object value) {
		return WorkspacePath.quote((value instanceof String text) ? text : this.schema.get().json(value));
	}

}
