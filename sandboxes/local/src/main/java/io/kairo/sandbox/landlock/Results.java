package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Waits for results of other threads.
 */
final class Results {

	private Results() {
	}

	/**
	 * Waits for a result.
	 * @throws IOException if the other thread has failed
	 */
	static <T> T of(CompletableFuture<T> result) throws IOException {
		try {
			return result.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof IOException cause) {
				throw cause;
			}
			throw ex;
		}
	}

}
