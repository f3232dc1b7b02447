package io.kairo.autoconfigure.springai;

import java.util.function.Supplier;

import reactor.util.context.ContextView;

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

	/**
	 * Runs on this thread in the context of a subscriber.
	 * @param <T> the type of the outcome
	 * @param subscriber the context
	 * @param work the work
	 * @return the outcome
	 */
	default <T> T in(ContextView subscriber, Supplier<T> work) {
		return work.get();
	}

}
