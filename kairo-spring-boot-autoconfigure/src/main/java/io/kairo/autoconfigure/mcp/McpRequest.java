package io.kairo.autoconfigure.mcp;

import java.util.Optional;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.tenancy.CallerTenants;
import io.kairo.tools.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * The request that the current thread handles.
 */
interface McpRequest {

	/** A request without any information. */
	McpRequest UNKNOWN = new McpRequest() {
	};

	/**
	 * Returns the tenant of the caller.
	 * @param tenants the tenants of the callers of threads
	 * @return the tenant; empty if the caller has to be refused
	 */
	default Optional<TenantContext> caller(CallerTenants tenants) {
		return tenants.find();
	}

	/**
	 * Returns the id of the request.
	 * @return the id in JSON, null if unknown
	 */
	default @Nullable String id() {
		return null;
	}

	/**
	 * Returns the cancellation of the request. It is cancelled when the client is known
	 * to be gone.
	 */
	default Cancellation cancellation() {
		return new Cancellation();
	}

	/**
	 * Runs an action when the response has been written, or at once if that is not known.
	 * @param action an action that is quick and does not throw
	 */
	default void whenSent(Runnable action) {
		action.run();
	}

}
