package io.kairo.mcp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * A message from a client, as far as it has to be known before the server reads it.
 *
 * @param method its method, empty if it has none
 * @param id its id in JSON, null if it has none
 * @param reference the id of the request that it refers to in JSON, null if there is none
 * @param uri the URI of the resource that it is about, null if there is none
 * @param cursor the page that it asks for, null if there is none
 * @see <a href="https://www.jsonrpc.org/specification">JSON-RPC 2.0</a>
 */
record McpMessage(String method, @Nullable String id, @Nullable String reference, @Nullable String uri,
		@Nullable String cursor) {

	/** The SDK does not know this notification. */
	static final String CANCELLED = "notifications/cancelled";

	/** Bounds the objects that a message becomes. They can take 50 times its size. */
	private static final int MAX_TOKENS = 200_000;

	private static final int MAX_NAME_LENGTH = 200;

	private static final int MAX_INITIALIZE_BYTES = 4096;

	private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]");

	/**
	 * Reads a message as the server does: the server must not see a different one.
	 * @throws IllegalArgumentException if it is not a single JSON object, has more parts
	 * than any valid message, or has an invalid method or id
	 */
	static McpMessage read(JsonMapper mapper, byte[] json) {
		String method = "";
		String id = null;
		String reference = null;
		String uri = null;
		String cursor = null;
		try (JsonParser parser = mapper.createParser(json)) {
			String[] names = { "", "" };
			int depth = 0;
			int tokens = 0;
			for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
				if (depth == 0 && (tokens > 0 || token != JsonToken.START_OBJECT)) {
					throw new IllegalArgumentException("The message is not a single JSON object");
				}
				if (++tokens > MAX_TOKENS) {
					throw new IllegalArgumentException("The message has more than " + MAX_TOKENS + " parts");
				}
				if (token.isStructStart()) {
					if (depth == 1 && (names[0].equals("method") || names[0].equals("id"))) {
						throw new IllegalArgumentException(
								"The " + names[0] + " of the message is an object or an array: send a single value");
					}
					// an array has values without names
					names[1] = (depth == 1) ? "" : names[1];
					depth++;
				}
				else if (token.isStructEnd()) {
					depth--;
				}
				else if (token == JsonToken.PROPERTY_NAME && depth <= 2) {
					names[depth - 1] = parser.currentName();
					// the last of equal names counts, whatever its value is
					boolean params = names[0].equals("params");
					method = (depth == 1 && names[0].equals("method")) ? "" : method;
					reference = (params && (depth == 1 || names[1].equals("requestId"))) ? null : reference;
					uri = (params && (depth == 1 || names[1].equals("uri"))) ? null : uri;
					cursor = (params && (depth == 1 || names[1].equals("cursor"))) ? null : cursor;
				}
				else if (depth == 1 && names[0].equals("method") && token == JsonToken.VALUE_STRING) {
					method = parser.getString();
				}
				else if (depth == 1 && names[0].equals("id")) {
					id = json(mapper, parser, token);
				}
				else if (depth == 2 && names[0].equals("params") && names[1].equals("requestId")) {
					reference = json(mapper, parser, token);
				}
				else if (depth == 2 && names[0].equals("params") && token == JsonToken.VALUE_STRING) {
					uri = names[1].equals("uri") ? parser.getString() : uri;
					cursor = names[1].equals("cursor") ? parser.getString() : cursor;
				}
			}
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("The message is not JSON: " + ex.getOriginalMessage(), ex);
		}
		if (method.length() > MAX_NAME_LENGTH || UNPRINTABLE.matcher(method).find()) {
			throw new IllegalArgumentException("The method of the message is not valid: it has " + method.length()
					+ " characters, of which at most " + MAX_NAME_LENGTH + " printable ones are accepted");
		}
		if (id != null && (id.length() > MAX_NAME_LENGTH || id.indexOf('\\') >= 0 || UNPRINTABLE.matcher(id).find())) {
			throw new IllegalArgumentException("The id of the message is not valid: it has " + id.length()
					+ " characters, of which at most " + MAX_NAME_LENGTH + " printable ones are accepted");
		}
		return new McpMessage(method, id, reference, uri, cursor);
	}

	private static @Nullable String json(JsonMapper mapper, JsonParser parser, JsonToken token) {
		return switch (token) {
			case VALUE_NULL -> null;
			case VALUE_STRING -> mapper.writeValueAsString(parser.getString());
			default -> parser.getString();
		};
	}

	/**
	 * Returns whether the message is a request. A request is answered when it has been
	 * handled; notifications and answers are not.
	 */
	boolean isRequest() {
		return !this.method.isEmpty() && this.id != null;
	}

	boolean isNotification() {
		return !this.method.isEmpty() && this.id == null;
	}

	/**
	 * Cleans an {@code initialize} request, whose content the server logs and keeps with
	 * the session: replaces control and format characters, shortens the description of
	 * the client, and removes its icons.
	 * @return the request to pass on
	 * @throws IllegalArgumentException if it is too large
	 */
	static byte[] cleanInitialize(JsonMapper mapper, byte[] json) {
		if (json.length > 16 * MAX_INITIALIZE_BYTES) {
			throw new IllegalArgumentException("The initialize request has " + json.length + " bytes, at most "
					+ 16 * MAX_INITIALIZE_BYTES + " are accepted");
		}
		JsonNode message = mapper.valueToTree(clean(mapper.readValue(json, Object.class)));
		if (message.path("params").path("clientInfo") instanceof ObjectNode client) {
			client.remove("icons");
			client.properties().forEach((property) -> property.setValue(shortened(property.getValue())));
		}
		byte[] cleaned = mapper.writeValueAsString(message).getBytes(StandardCharsets.UTF_8);
		if (cleaned.length > MAX_INITIALIZE_BYTES) {
			throw new IllegalArgumentException("The capabilities of the client are too large: the initialize request "
					+ "has " + cleaned.length + " bytes, at most " + MAX_INITIALIZE_BYTES + " are accepted");
		}
		return cleaned;
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
			List<@Nullable Object> cleaned = new ArrayList<>();
			list.forEach((each) -> cleaned.add(clean(each)));
			return cleaned;
		}
		return (value instanceof String text) ? UNPRINTABLE.matcher(text).replaceAll(" ") : value;
	}

}
