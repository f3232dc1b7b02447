package io.kairo.workspace.local.disk.handle;

import java.util.function.Consumer;

/**
 * Work on a thread that may be lost to an open that does not return. No other thread
 * waits for the work without being told.
 */
public interface AbandonableTask {

	/**
	 * Performs the work.
	 */
	void run();

	/**
	 * Returns the receiver of the failure if an open that begins now, on the thread of
	 * the work, is given up. It is called once, on another thread. If the open returns
	 * nevertheless, it throws {@link AbandonedException}, possibly before that call.
	 * @return the receiver; it returns quickly
	 */
	Consumer<StuckOpenException> failure();

	/**
	 * Thrown by an open that returns after it was given up, to leave work whose result is
	 * no longer expected.
	 */
	final class AbandonedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		AbandonedException() {
			super("the open was given up", null, false, false);
		}

	}

}
