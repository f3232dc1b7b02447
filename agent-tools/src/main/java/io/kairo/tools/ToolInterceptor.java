package io.kairo.tools;

/**
 * Stands around every call: observation, limits, approval, audit. Safe for use by several
 * threads. The first interceptor of a catalog is the outermost.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ToolInterceptor {

	/**
	 * Handles a call, by passing it on or by answering it.
	 * @param call the call; its tool may be unknown to the catalog
	 * @param context where it happens
	 * @param chain the rest of the way to the tool; it does not throw for anything a tool
	 * does
	 * @return what was done
	 */
	ToolResult intercept(ToolCall call, ToolContext context, Chain chain);

	/**
	 * The rest of the way to the tool.
	 */
	@FunctionalInterface
	interface Chain {

		/**
		 * Passes a call on.
		 * @param call the call, the given one or another
		 * @param context where it happens, the given one or another
		 * @return what was done
		 */
		ToolResult proceed(ToolCall call, ToolContext context);

	}

}
