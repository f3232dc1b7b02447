package io.kairo.autoconfigure.springai;

import java.util.function.Supplier;

/**
 * Calls a tool in the context of its stream, since Spring AI calls the tools of a stream
 * on shared threads.
 */
@FunctionalInterface
interface StreamContext {

	/**
	 * Makes the call on this thread.
	 * @param call the call
	 * @return the result of the call
	 */
	String in(Supplier<String> call);

}
