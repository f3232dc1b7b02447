package demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The protocol between a client and its model.
 */
enum Protocol {

	/** The Messages API of Anthropic. */
	MESSAGES {

		@Override
		List<String> results(JsonNode request) {
			return request.path("messages")
				.valueStream()
				.flatMap((message) -> message.path("content").valueStream())
				.filter((block) -> block.path("type").asString("").equals("tool_result"))
				.map((block) -> block.path("content"))
				.map(Protocol::shown)
				.toList();
		}

		@Override
		String text(String text, boolean streams) {
			return message(Map.of("type", "text", "text", ""), Map.of("type", "text_delta", "text", text),
					Map.of("type", "text", "text", text), "end_turn", streams);
		}

		@Override
		String call(JsonNode request, int step, String tool, String arguments, boolean streams) {
			String id = "toolu_" + step;
			return message(Map.of("type", "tool_use", "id", id, "name", tool, "input", Map.of()),
					Map.of("type", "input_json_delta", "partial_json", arguments), Map.of("type", "tool_use", "id", id,
							"name", tool, "input", JsonMapper.shared().readValue(arguments, Map.class)),
					"tool_use", streams);
		}

		private String message(Map<String, Object> start, Map<String, Object> delta, Map<String, Object> whole,
				String reason, boolean streams) {
			Map<String, Object> usage = Map.of("input_tokens", 1, "output_tokens", 1);
			Map<String, Object> message = Map.of("id", "msg", "type", "message", "role", "assistant", "model", "m",
					"content", streams ? List.of() : List.of(whole), "stop_reason", streams ? "" : reason, "usage",
					usage);
			if (!streams) {
				return json(message);
			}
			return Stream
				.of(Map.of("type", "message_start", "message", message),
						Map.of("type", "content_block_start", "index", 0, "content_block", start),
						Map.of("type", "content_block_delta", "index", 0, "delta", delta),
						Map.of("type", "content_block_stop", "index", 0),
						Map.of("type", "message_delta", "delta", Map.of("stop_reason", reason), "usage", usage),
						Map.of("type", "message_stop"))
				.map((event) -> "event: " + event.get("type") + "\ndata: " + json(event) + "\n\n")
				.reduce("", String::concat);
		}

	},

	/** The Responses API of OpenAI. */
	RESPONSES {

		@Override
		List<String> results(JsonNode request) {
			return request.path("input")
				.valueStream()
				.filter((item) -> item.path("type").asString("").equals("function_call_output"))
				.map((item) -> shown(item.path("output")))
				.toList();
		}

		@Override
		@Nullable String tool(JsonNode request, String name) {
			return (namespace(request) != null) ? name : super.tool(request, name);
		}

		private @Nullable String namespace(JsonNode request) {
			return request.path("tools")
				.valueStream()
				.filter((tool) -> tool.path("type").asString("").equals("namespace"))
				.map((tool) -> tool.path("name").asString(""))
				.filter((name) -> name.contains("kairo"))
				.findFirst()
				.orElse(null);
		}

		@Override
		String text(String text, boolean streams) {
			return response(Map.of("type", "message", "role", "assistant", "id", "m", "content",
					List.of(Map.of("type", "output_text", "text", text))));
		}

		@Override
		String call(JsonNode request, int step, String tool, String arguments, boolean streams) {
			Map<String, Object> call = new LinkedHashMap<>(Map.of("type", "function_call", "id", "fc" + step,
					"call_id", "call" + step, "name", tool, "arguments", arguments));
			String namespace = namespace(request);
			if (namespace != null) {
				call.put("namespace", namespace);
			}
			return response(call);
		}

		private String response(Map<String, Object> item) {
			return Stream
				.of(Map.of("type", "response.created", "response", Map.of("id", "r")),
						Map.of("type", "response.output_item.done", "output_index", 0, "item", item),
						Map.of("type", "response.completed", "response",
								Map.of("id", "r", "usage",
										Map.of("input_tokens", 1, "input_tokens_details", Map.of("cached_tokens", 0),
												"output_tokens", 1, "output_tokens_details",
												Map.of("reasoning_tokens", 0), "total_tokens", 2))))
				.map((event) -> "event: " + event.get("type") + "\ndata: " + json(event) + "\n\n")
				.reduce("", String::concat);
		}

	},

	/** The Chat Completions API of OpenAI. */
	COMPLETIONS {

		@Override
		List<String> results(JsonNode request) {
			List<String> results = new ArrayList<>();
			for (JsonNode message : request.path("messages")) {
				if (message.path("role").asString("").equals("tool")) {
					results.add(shown(message.path("content")));
				}
				else if (!results.isEmpty() && message.path("role").asString("").equals("user")) {
					// images of results follow them
					results.add(results.remove(results.size() - 1) + shown(message.path("content")));
				}
			}
			return results;
		}

		@Override
		String text(String text, boolean streams) {
			return chunks(Map.of("role", "assistant", "content", text), "stop", streams);
		}

		@Override
		String call(JsonNode request, int step, String tool, String arguments, boolean streams) {
			return chunks(Map.of("role", "assistant", "tool_calls",
					List.of(Map.of("index", 0, "id", "call" + step, "type", "function", "function",
							Map.of("name", tool, "arguments", arguments)))),
					"tool_calls", streams);
		}

		private String chunks(Map<String, Object> message, String reason, boolean streams) {
			if (!streams) {
				return json(Map.of("id", "c", "object", "chat.completion", "created", 1, "model", "m", "choices",
						List.of(Map.of("index", 0, "message", message, "finish_reason", reason))));
			}
			return Stream
				.of(Map.of("index", 0, "delta", message),
						Map.of("index", 0, "delta", Map.of(), "finish_reason", reason))
				.map((choice) -> "data: " + json(Map.of("id", "c", "object", "chat.completion.chunk", "created", 1,
						"model", "m", "choices", List.of(choice))) + "\n\n")
				.reduce("", String::concat) + "data: [DONE]\n\n";
		}

	},

	/** The API of Gemini. */
	GENERATE_CONTENT {

		@Override
		List<String> results(JsonNode request) {
			return request.path("contents")
				.valueStream()
				.filter((content) -> content.path("parts")
					.valueStream()
					.anyMatch((part) -> part.has("functionResponse")))
				.map((content) -> shown(content.path("parts")))
				.toList();
		}

		@Override
		@Nullable String tool(JsonNode request, String name) {
			return request.path("tools")
				.valueStream()
				.flatMap((tool) -> tool.path("functionDeclarations").valueStream())
				.map((tool) -> tool.path("name").asString(""))
				.filter((known) -> isTool(known, name))
				.findFirst()
				.orElse(null);
		}

		@Override
		String text(String text, boolean streams) {
			return candidate(Map.of("text", text), streams);
		}

		@Override
		String call(JsonNode request, int step, String tool, String arguments, boolean streams) {
			return candidate(Map.of("functionCall",
					Map.of("name", tool, "args", JsonMapper.shared().readValue(arguments, Map.class))), streams);
		}

		private String candidate(Map<String, Object> part, boolean streams) {
			String json = json(Map.of("candidates",
					List.of(Map.of("content", Map.of("role", "model", "parts", List.of(part)), "finishReason", "STOP",
							"index", 0)),
					"usageMetadata", Map.of("promptTokenCount", 1, "candidatesTokenCount", 1, "totalTokenCount", 2)));
			return streams ? "data: " + json + "\n\n" : json;
		}

	};

	/**
	 * Returns the answers to the calls that were made so far.
	 */
	abstract List<String> results(JsonNode request);

	/**
	 * Returns the name of a tool of the server at the client, null if it is not offered.
	 */
	@Nullable String tool(JsonNode request, String name) {
		return request.path("tools")
			.valueStream()
			.map((tool) -> tool.path("function").isMissingNode() ? tool : tool.path("function"))
			.map((tool) -> tool.path("name").asString(""))
			.filter((known) -> isTool(known, name))
			.findFirst()
			.orElse(null);
	}

	abstract String text(String text, boolean streams);

	abstract String call(JsonNode request, int step, String tool, String arguments, boolean streams);

	private static boolean isTool(String known, String name) {
		return known.contains("kairo") && known.endsWith("_" + name);
	}

	/**
	 * Returns the texts that a model reads in a content. JSON in a text is read as such.
	 */
	private static String shown(JsonNode content) {
		StringBuilder shown = new StringBuilder();
		collect(content, shown);
		return shown.toString();
	}

	private static void collect(JsonNode content, StringBuilder shown) {
		if (content.isString()) {
			shown.append(content.asString().replace("\\t", "\t").replace("\\n", "\n")).append('\n');
		}
		content.valueStream().forEach((child) -> collect(child, shown));
	}

	private static String json(Object value) {
		return JsonMapper.shared().writeValueAsString(value);
	}

}
