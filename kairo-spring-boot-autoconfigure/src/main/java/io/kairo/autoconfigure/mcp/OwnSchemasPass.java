package io.kairo.autoconfigure.mcp;

import java.util.Map;
import java.util.function.Predicate;

import io.modelcontextprotocol.json.schema.JsonSchemaValidator;

/**
 * Leaves the arguments of some tools to the tools, which accept common aliases and answer
 * with the names that they know, and validates everything else.
 */
final class OwnSchemasPass implements JsonSchemaValidator {

	private final JsonSchemaValidator validator;

	private final Predicate<Map<String, Object>> own;

	OwnSchemasPass(JsonSchemaValidator validator, Predicate<Map<String, Object>> own) {
		this.validator = validator;
		this.own = own;
	}

	@Override
	public ValidationResponse validate(Map<String, Object> schema, Object content) {
		return this.own.test(schema) ? ValidationResponse.asValid(null) : this.validator.validate(schema, content);
	}

	@Override
	public ValidationResponse validateSchema(Map<String, Object> schema) {
		return this.validator.validateSchema(schema);
	}

}
