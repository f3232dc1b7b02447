package io.kairo.mcp;

import java.util.Map;
import java.util.function.Predicate;

import io.modelcontextprotocol.json.schema.JsonSchemaValidator;

/**
 * Validator that accepts all arguments of the tools whose schemas are matched, since
 * these validate their arguments themselves and accept common aliases. Delegates
 * otherwise.
 */
final class OwnSchemaValidation implements JsonSchemaValidator {

	private final JsonSchemaValidator validator;

	private final Predicate<Map<String, Object>> own;

	OwnSchemaValidation(JsonSchemaValidator validator, Predicate<Map<String, Object>> own) {
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
