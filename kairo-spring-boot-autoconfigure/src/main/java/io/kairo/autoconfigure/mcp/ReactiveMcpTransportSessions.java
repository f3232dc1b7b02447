package io.kairo.autoconfigure.mcp;

import java.lang.reflect.Field;
import java.util.Map;

import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * The sessions of Spring AI's transport for WebFlux. The transport keeps them when a
 * client has ended them, and has no method to remove one.
 *
 * @param sessions the sessions by their ids
 */
record ReactiveMcpTransportSessions(Map<?, ?> sessions) {

	private static final String FIELD = "sessions";

	/**
	 * Returns the sessions of a transport.
	 * @return the sessions, null if it is not the transport of Spring AI 2
	 */
	static @Nullable ReactiveMcpTransportSessions of(McpStreamableServerTransportProvider transport) {
		Field field = ReflectionUtils.findField(transport.getClass(), FIELD);
		if (field == null || !Map.class.isAssignableFrom(field.getType())) {
			return null;
		}
		ReflectionUtils.makeAccessible(field);
		Object sessions = ReflectionUtils.getField(field, transport);
		return (sessions instanceof Map<?, ?> map) ? new ReactiveMcpTransportSessions(map) : null;
	}

	void remove(String session) {
		this.sessions.remove(session);
	}

}
