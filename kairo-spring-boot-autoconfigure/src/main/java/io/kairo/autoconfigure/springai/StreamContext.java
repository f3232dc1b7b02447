package io.kairo.autoconfigure.springai;

import java.util.function.Supplier;

/**
 * Makes a call of a tool with what its stream carries. Spring AI calls the tools of a
 * stream on threads that belong to nobody.
 */
@FunctionalInterface
interface StreamContext {

	/**
	 * Makes the call on this thread.
	 */
	String in(Supplier<String> call);

}
