package io.kairo.benchmarks;

import java.util.concurrent.Callable;

/**
 * A call whose duration is measured, and what follows it without being measured.
 *
 * @param <T> what the call returns
 * @param call the call
 * @param result returns the result to compare from what the call returned
 * @param after restores the state before the call
 */
record Work<T>(Callable<T> call, Step<T, Object> result, Step<T, Object> after) {

	/**
	 * Returns a call that changes nothing.
	 */
	static <T> Work<T> of(Callable<T> call) {
		return new Work<>(call, (returned) -> returned, (returned) -> returned);
	}

	Work<T> comparing(Step<T, Object> result) {
		return new Work<>(this.call, result, this.after);
	}

	Work<T> then(Step<T, Object> after) {
		return new Work<>(this.call, this.result, after);
	}

	/**
	 * Calls once and returns the result.
	 */
	Object once() throws Exception {
		T returned = this.call.call();
		Object comparable = this.result.apply(returned);
		this.after.apply(returned);
		return comparable;
	}

	/**
	 * Something to do with what a call returned.
	 */
	@FunctionalInterface
	interface Step<T, R> {

		R apply(T returned) throws Exception;

	}

}
