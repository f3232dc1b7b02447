package demo;

import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;

/**
 * The tools that the conformance suite calls.
 */
final class ConformanceTools {

	private static final long STEP_MILLIS = 50;

	/** The header of a WAV file without samples. */
	private static final String AUDIO = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

	private static final Map<String, Object> NO_ARGUMENTS = Map.of("type", "object");

	private ConformanceTools() {
	}

	static List<SyncToolSpecification> all() {
		Content image = ImageContent.builder(ConformanceServer.IMAGE, "image/png").build();
		return List.of(tool("test_simple_text", text("This is a simple text response for testing.")),
				tool("test_image_content", image),
				tool("test_audio_content", AudioContent.builder(AUDIO, "audio/wav").build()),
				tool("test_embedded_resource",
						resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
				tool("test_multiple_content_types", text("Multiple content types test:"), image,
						resource("test://mixed-content-resource", "application/json",
								"{\"test\":\"data\",\"value\":123}")),
				tool("test_error_handling", NO_ARGUMENTS,
						(exchange, request) -> CallToolResult.builder()
							.addTextContent("This tool intentionally returns an error for testing")
							.isError(true)
							.build()),
				tool("test_tool_with_logging", NO_ARGUMENTS, ConformanceTools::log),
				tool("test_tool_with_progress", NO_ARGUMENTS, ConformanceTools::progress),
				tool("test_sampling", arguments("prompt"), ConformanceTools::sample),
				tool("test_elicitation", arguments("message"),
						(exchange, request) -> result("User response: ", elicit(exchange, argument(request, "message"),
								Map.of("username", Map.of("type", "string", "description", "User's response"), "email",
										Map.of("type", "string", "description", "User's email address")),
								List.of("username", "email")))),
				tool("test_elicitation_sep1034_defaults", NO_ARGUMENTS,
						(exchange, request) -> result("Elicitation completed: ",
								elicit(exchange, "Please review and update the form fields", defaults(), List.of()))),
				tool("test_elicitation_sep1330_enums", NO_ARGUMENTS,
						(exchange, request) -> result("Elicitation completed: ",
								elicit(exchange, "Please select options from the enum fields", enums(), List.of()))),
				tool("json_schema_2020_12_tool", Map.of("$schema", "https://json-schema.org/draft/2020-12/schema",
						"type", "object", "$defs",
						Map.of("address",
								Map.of("type", "object", "properties",
										Map.of("street", Map.of("type", "string"), "city", Map.of("type", "string")))),
						"properties",
						Map.of("name", Map.of("type", "string"), "address", Map.of("$ref", "#/$defs/address")),
						"additionalProperties", false),
						(exchange, request) -> result("JSON Schema 2020-12 tool called")),
				// should end its stream first, which the SDK does not offer
				tool("test_reconnection", text("Reconnection test completed successfully")));
	}

	private static SyncToolSpecification tool(String name, Content... contents) {
		return tool(name, NO_ARGUMENTS,
				(exchange, request) -> CallToolResult.builder().content(List.of(contents)).build());
	}

	private static SyncToolSpecification tool(String name, Map<String, Object> schema, Handler handler) {
		return new SyncToolSpecification(Tool.builder(name, schema).description("The tool " + name).build(),
				handler::call);
	}

	private static Map<String, Object> arguments(String name) {
		return Map.of("type", "object", "properties", Map.of(name, Map.of("type", "string")), "required",
				List.of(name));
	}

	private static String argument(CallToolRequest request, String name) {
		return String.valueOf(request.arguments().get(name));
	}

	private static Content text(String text) {
		return TextContent.builder(text).build();
	}

	private static Content resource(String uri, String type, String text) {
		return EmbeddedResource.builder(TextResourceContents.builder(uri, text).mimeType(type).build()).build();
	}

	private static CallToolResult result(String text) {
		return CallToolResult.builder().addTextContent(text).build();
	}

	private static CallToolResult result(String prefix, ElicitResult answer) {
		return result(prefix + "action=" + answer.action() + ", content=" + answer.content());
	}

	private static CallToolResult log(McpSyncServerExchange exchange, CallToolRequest request) {
		for (String message : List.of("Tool execution started", "Tool processing data", "Tool execution completed")) {
			exchange.loggingNotification(LoggingMessageNotification.builder(LoggingLevel.INFO, message).build());
			pause();
		}
		return result("Three messages were logged");
	}

	private static CallToolResult progress(McpSyncServerExchange exchange, CallToolRequest request) {
		Object token = (request.meta() != null) ? request.meta().get("progressToken") : null;
		for (double progress : new double[] { 0, 50, 100 }) {
			if (token != null) {
				exchange.progressNotification(ProgressNotification.builder(token, progress).total(100.0).build());
			}
			pause();
		}
		return result("Progress token: " + token);
	}

	private static void pause() {
		try {
			Thread.sleep(STEP_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static CallToolResult sample(McpSyncServerExchange exchange, CallToolRequest request) {
		CreateMessageResult answer = exchange.createMessage(CreateMessageRequest
			.builder(List.of(SamplingMessage.builder(Role.USER, text(argument(request, "prompt"))).build()), 100)
			.build());
		return result("LLM response: " + answer.content());
	}

	private static ElicitResult elicit(McpSyncServerExchange exchange, String message, Map<String, Object> properties,
			List<String> required) {
		return exchange.createElicitation(ElicitFormRequest
			.builder(message, Map.of("type", "object", "properties", properties, "required", required))
			.build());
	}

	private static Map<String, Object> defaults() {
		return Map.of("name", Map.of("type", "string", "default", "John Doe"), "age",
				Map.of("type", "integer", "default", 30), "score", Map.of("type", "number", "default", 95.5), "status",
				Map.of("type", "string", "enum", List.of("active", "inactive", "pending"), "default", "active"),
				"verified", Map.of("type", "boolean", "default", true));
	}

	private static Map<String, Object> enums() {
		List<String> options = List.of("option1", "option2", "option3");
		List<Map<String, String>> titled = List.of(Map.of("const", "value1", "title", "First Option"),
				Map.of("const", "value2", "title", "Second Option"),
				Map.of("const", "value3", "title", "Third Option"));
		return Map.of("untitledSingle", Map.of("type", "string", "enum", options), "titledSingle",
				Map.of("type", "string", "oneOf", titled), "legacyEnum",
				Map.of("type", "string", "enum", List.of("opt1", "opt2", "opt3"), "enumNames",
						List.of("Option One", "Option Two", "Option Three")),
				"untitledMulti", Map.of("type", "array", "items", Map.of("type", "string", "enum", options)),
				"titledMulti", Map.of("type", "array", "items", Map.of("anyOf", titled)));
	}

	/**
	 * Answers a call.
	 */
	private interface Handler {

		CallToolResult call(McpSyncServerExchange exchange, CallToolRequest request);

	}

}
