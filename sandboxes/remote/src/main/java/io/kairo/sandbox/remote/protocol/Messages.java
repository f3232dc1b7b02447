package io.kairo.sandbox.remote.protocol;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads messages as JSON. Additions of a newer version are ignored. Safe for
 * use by several threads.
 */
public final class Messages {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
		.build();

	private Messages() {
	}

	/**
	 * Writes a message.
	 * @param message the message
	 * @return JSON in UTF-8
	 */
	public static byte[] write(Object message) {
		return MAPPER.writeValueAsBytes(message);
	}

	/**
	 * Reads a message.
	 * @param <T> the type of the message
	 * @param json JSON in UTF-8
	 * @param type the type of the message
	 * @return the message
	 * @throws IllegalArgumentException if it is not such a message
	 */
	public static <T> T read(byte[] json, Class<T> type) {
		try {
			T message = MAPPER.readValue(json, type);
			if (message == null) {
				throw new IllegalArgumentException("The message is null: send an object");
			}
			return message;
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("The message cannot be read: " + ex.getOriginalMessage(), ex);
		}
	}

}
