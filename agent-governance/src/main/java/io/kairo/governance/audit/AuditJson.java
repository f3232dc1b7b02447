package io.kairo.governance.audit;

import java.io.OutputStream;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records and arguments in JSON. The text is ASCII, so that it is the same in every
 * charset.
 */
public final class AuditJson {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(JsonWriteFeature.ESCAPE_NON_ASCII)
		.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
		.disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
		.changeDefaultPropertyInclusion((inclusion) -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
		.build();

	private AuditJson() {
	}

	/**
	 * Writes a record.
	 * @param record the record
	 * @return its text
	 */
	public static String write(AuditRecord record) {
		return MAPPER.writeValueAsString(record);
	}

	/**
	 * Writes a tool and its arguments, with the keys of all objects in their order.
	 */
	static void write(String tool, Map<String, Object> arguments, OutputStream target) {
		MAPPER.writeValue(target, Map.of("tool", tool, "arguments", arguments));
	}

	/**
	 * Parses a record.
	 * @param json the text
	 * @return the record
	 * @throws IllegalArgumentException if the text is not a record
	 */
	public static AuditRecord read(String json) {
		try {
			return MAPPER.readValue(json, AuditRecord.class);
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("The text is not an audit record: " + ex.getOriginalMessage(), ex);
		}
	}

}
