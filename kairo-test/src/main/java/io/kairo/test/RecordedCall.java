package io.kairo.test;

import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool and its result. Immutable.
 *
 * @param tool the name of the tool
 * @param arguments the arguments as parsed JSON; empty for a call that an adapter refused
 * @param tenant the tenant of the call; null if an adapter refused the call without
 * knowing it
 * @param sessionId the client's id of the session; null for a session of the call alone
 * @param result the result
 */
public record RecordedCall(String tool, Map<String, Object> arguments, @Nullable TenantContext tenant,
		@Nullable String sessionId, ToolResult result) {

	/**
	 * Describes the call by its name, its arguments, and the error of its result.
	 */
	@Override
	public String toString() {
		return this.tool + this.arguments + ((this.result.error() != null) ? " -> " + this.result.error().code() : "");
	}

}
