package io.kairo.tools;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor around every call of a tool, for observation, limits, approval or audit.
 * The first interceptor of a catalog is the outermost. Implementations are safe for use
 * by several threads.
 */
@FunctionalInterface
public interface ToolInterceptor {

	/**
	 * Intercepts a call: passes it on, or returns a result of its own.
	 * @param call the call; its tool may be unknown to the catalog
	 * @param context the context of the call
	 * @param chain the remaining interceptors and the tool; it does not throw for
	 * failures of a tool
	 * @return the result
	 */
	ToolResult intercept(ToolCall call, ToolContext context, Chain chain);

	/**
	 * Receives a call that an adapter refused, so that it is never intercepted. By
	 * default this does nothing.
	 * @param refusal the refusal
	 */
	default void refused(ToolRefusal refusal) {
	}

	/**
	 * Returns whether a tenant may call a tool at all, so that an adapter can leave it
	 * out for the others. By default it may.
	 * @param tool the definition of the tool
	 * @param tenant the tenant
	 * @return false only if each call is refused
	 */
	default boolean permits(ToolDefinition tool, TenantContext tenant) {
		return true;
	}

	/**
	 * The remaining interceptors and the tool.
	 */
	@FunctionalInterface
	interface Chain {

		/**
		 * Passes a call on.
		 * @param call the call, the given one or another
		 * @param context the context of the call, the given one or another
		 * @return the result
		 */
		ToolResult proceed(ToolCall call, ToolContext context);

		/**
		 * Returns the definition of a tool. By default none is known.
		 * @param name the name of the tool, possibly from a model
		 * @return the definition, null if there is no such tool
		 */
		default @Nullable ToolDefinition definition(String name) {
			return null;
		}

		/**
		 * Validates the arguments of a call that is not made. The remaining interceptors
		 * see a failure as if the tool had been called. By default all are valid.
		 * @param call the call
		 * @param context the context of the call
		 * @return the failure, null if the arguments are valid or the tool is not known
		 */
		default @Nullable ToolResult validate(ToolCall call, ToolContext context) {
			return null;
		}

		/**
		 * Returns the failure of a call if it were made now. Changes nothing; the
		 * remaining interceptors see a failure as if the tool had been called. By default
		 * none is foreseen.
		 * @param call the call
		 * @param context the context of the call
		 * @return the failure, null if none is foreseen
		 */
		default @Nullable ToolResult foresee(ToolCall call, ToolContext context) {
			return null;
		}

	}

}
