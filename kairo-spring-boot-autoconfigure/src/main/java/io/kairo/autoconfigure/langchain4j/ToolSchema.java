package io.kairo.autoconfigure.langchain4j;

import java.util.List;
import java.util.Map;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import io.kairo.tools.ToolDefinition;
import tools.jackson.databind.json.JsonMapper;

/**
 * The specification of a tool for LangChain4j. The schemas of the parameters are passed
 * on as they are, since its own types know fewer keywords.
 *
 * @param tool the tool
 * @param mapper writes schemas
 */
record ToolSchema(ToolDefinition tool, JsonMapper mapper) {

	ToolSpecification specification() {
		JsonObjectSchema.Builder parameters = JsonObjectSchema.builder();
		properties().forEach((name, schema) -> parameters.addProperty(name,
				JsonRawSchema.from(this.mapper.writeValueAsString(schema))));
		return ToolSpecification.builder()
			.name(this.tool.name())
			.description(this.tool.description())
			.parameters(parameters.required(required()).additionalProperties(additionalProperties()).build())
			.build();
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> properties() {
		return (Map<String, Object>) this.tool.inputSchema().getOrDefault("properties", Map.of());
	}

	@SuppressWarnings("unchecked")
	private List<String> required() {
		return (List<String>) this.tool.inputSchema().getOrDefault("required", List.of());
	}

	private boolean additionalProperties() {
		return !Boolean.FALSE.equals(this.tool.inputSchema().get("additionalProperties"));
	}

}
