package io.kairo.tools;

import java.util.Objects;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * The refusal of a call by an adapter, before the call reaches the catalog: its caller
 * has no tenant, or its arguments cannot be read. Immutable.
 *
 * @param tool the name of the tool as the model or client gave it
 * @param tenant the tenant of the caller, null if it is not known
 * @param sessionId the client's id of the session, null if there is none or it is not
 * known
 * @param adapter the name of the adapter, as {@link ToolContext#adapter()}
 * @param error the reason
 */
public record ToolRefusal(String tool, @Nullable TenantContext tenant, @Nullable String sessionId, String adapter,
		ToolError error) {

	/**
	 * Creates the value.
	 */
	public ToolRefusal {
		Objects.requireNonNull(tool, "tool");
		Objects.requireNonNull(adapter, "adapter");
		Objects.requireNonNull(error, "error");
	}

}
