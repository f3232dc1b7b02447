package io.kairo.mcp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * A message from a client. It is read once, so that the SDK sees the message that has
 * been checked.
 *
 * @param content its properties, of equal names the last
 * @see <a href="https://www.jsonrpc.org/specification">JSON-RPC 2.0</a>
 */
record McpMessage(Map<String, @Nullable Object> content) {

	/** The SDK does not know this notification. */
	static final String CANCELLED = "notifications/cancelled";

	/** Bounds the objects that a message becomes. They can take 50 times its size. */
	private static final int MAX_TOKENS = 200_000;

	private static final int MAX_NAME_LENGTH = 200;

	private static final int MAX_INITIALIZE_BYTES = 4096;

	private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]");

	private static final JsonMapper MAPPER = JsonMapper
		.builder(JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder().maxTokenCount(MAX_TOKENS).build())
			.build())
		.build();

	private static final TypeReference<Map<String, @Nullable Object>> CONTENT = new TypeReference<>() {
	};

	/**
	 * Reads a message.
	 * @throws IllegalArgumentException if it is not a single JSON object with a method or
	 * an answer, has more parts than any valid message, or has an invalid method or id
	 */
	static McpMessage read(byte[] json) {
		McpMessage message = new McpMessage(parse(json));
		if (Stream.of("method", "result", "error").noneMatch(message.content::containsKey)) {
			throw new IllegalArgumentException("The message is neither a request nor a notification nor an answer");
		}
		for (String name : List.of("method", "id")) {
			if (message.content.get(name) instanceof Map || message.content.get(name) instanceof List) {
				throw new IllegalArgumentException(
						"The " + name + " of the message is an object or an array: send a single value");
			}
		}
		requirePrintable("method", message.method());
		String id = message.id();
		if (id != null) {
			requirePrintable("id", id);
		}
		return message;
	}

	private static Map<String, @Nullable Object> parse(byte[] json) {
		try {
			Map<String, @Nullable Object> content = MAPPER.readValue(json, CONTENT);
			if (content != null) {
				return content;
			}
		}
		catch (StreamConstraintsException ex) {
			throw new IllegalArgumentException("The message has too many parts: " + ex.getOriginalMessage(), ex);
		}
		catch (StreamReadException ex) {
			throw new IllegalArgumentException("The message is not JSON: " + ex.getOriginalMessage(), ex);
		}
		catch (JacksonException ex) {
			// it is another value, or several
		}
		throw new IllegalArgumentException("The message is not a single JSON object");
	}

	/**
	 * Checks a method or an id, both of which are logged.
	 */
	private static void requirePrintable(String name, String value) {
		if (value.length() > MAX_NAME_LENGTH || value.indexOf('\\') >= 0 || UNPRINTABLE.matcher(value).find()) {
			throw new IllegalArgumentException("The " + name + " of the message is not valid: it has " + value.length()
					+ " characters, of which at most " + MAX_NAME_LENGTH + " printable ones are accepted");
		}
	}

	/**
	 * Returns the method, empty if there is none.
	 */
	String method() {
		return (this.content.get("method") instanceof String method) ? method : "";
	}

	/**
	 * Returns the id in JSON, null if there is none.
	 */
	@Nullable String id() {
		return json(this.content.get("id"));
	}

	/**
	 * Returns the id of the request that the message refers to in JSON, null if there is
	 * none.
	 */
	@Nullable String reference() {
		return json(parameter("requestId"));
	}

	private static @Nullable String json(@Nullable Object value) {
		return (value == null || value instanceof Map || value instanceof List) ? null
				: MAPPER.writeValueAsString(value);
	}

	/**
	 * Returns the URI of the resource that the message is about, null if there is none.
	 */
	@Nullable String uri() {
		return (parameter("uri") instanceof String uri) ? uri : null;
	}

	/**
	 * Returns the page that the message asks for, null if there is none.
	 */
	@Nullable String cursor() {
		return (parameter("cursor") instanceof String cursor) ? cursor : null;
	}

	private @Nullable Object parameter(String name) {
		return (this.content.get("params") instanceof Map<?, ?> parameters) ? parameters.get(name) : null;
	}

	/**
	 * Returns whether the message is a request. A request is answered when it has been
	 * handled; notifications and answers are not.
	 */
	boolean isRequest() {
		return this.content.containsKey("method") && this.content.containsKey("id")
				&& (method().isEmpty() || id() != null);
	}

	boolean isNotification() {
		return !method().isEmpty() && id() == null;
	}

	/**
	 * Returns the message for the SDK.
	 * @throws IllegalArgumentException if it is not one of JSON-RPC 2.0
	 */
	JSONRPCMessage toSdk(McpJsonMapper mapper) {
		if (!this.content.containsKey("method")) {
			return mapper.convertValue(this.content, JSONRPCResponse.class);
		}
		return this.content.containsKey("id") ? mapper.convertValue(this.content, JSONRPCRequest.class)
				: mapper.convertValue(this.content, JSONRPCNotification.class);
	}

	/**
	 * Returns an {@code initialize} request, whose content the server logs and keeps with
	 * the session, without control and format characters, with a short description of the
	 * client, and without its icons.
	 * @param bytes the size of the request
	 * @throws IllegalArgumentException if it is too large
	 */
	McpMessage cleaned(int bytes) {
		if (bytes > 16 * MAX_INITIALIZE_BYTES) {
			throw new IllegalArgumentException("The initialize request has " + bytes + " bytes, at most "
					+ 16 * MAX_INITIALIZE_BYTES + " are accepted");
		}
		JsonNode message = MAPPER.valueToTree(clean(this.content));
		if (message.path("params").path("clientInfo") instanceof ObjectNode client) {
			client.remove("icons");
			client.properties().forEach((property) -> property.setValue(shortened(property.getValue())));
		}
		byte[] cleaned = MAPPER.writeValueAsBytes(message);
		if (cleaned.length > MAX_INITIALIZE_BYTES) {
			throw new IllegalArgumentException("The capabilities of the client are too large: the initialize request "
					+ "has " + cleaned.length + " bytes, at most " + MAX_INITIALIZE_BYTES + " are accepted");
		}
		return read(cleaned);
	}

	private static JsonNode shortened(JsonNode value) {
		return (value.isString() && value.stringValue().length() > MAX_NAME_LENGTH)
				? StringNode.valueOf(value.stringValue().substring(0, MAX_NAME_LENGTH)) : value;
	}

	private static @Nullable Object clean(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<@Nullable Object, @Nullable Object> cleaned = new LinkedHashMap<>();
			map.forEach((name, each) -> cleaned.put(clean(name), clean(each)));
			return cleaned;
		}
		if (value instanceof List<?> list) {
			return list.stream().map(McpMessage::clean).toList();
		}
		return (value instanceof String text) ? UNPRINTABLE.matcher(text).replaceAll(" ") : value;
	}

}
