package io.kairo.tools;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells a tool that nobody waits for it any more. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class Cancellation {

	private final List<Runnable> listeners = new ArrayList<>();

	private boolean cancelled;

	/**
	 * Creates a cancellation that has not happened.
	 */
	public Cancellation() {
	}

	/**
	 * Cancels, and runs every registered listener on this thread. A second time does
	 * nothing.
	 */
	public void cancel() {
		List<Runnable> toRun;
		synchronized (this.listeners) {
			this.cancelled = true;
			toRun = List.copyOf(this.listeners);
			this.listeners.clear();
		}
		toRun.forEach(Runnable::run);
	}

	/**
	 * Returns whether it has happened.
	 * @return true after {@link #cancel()}
	 */
	public boolean isCancelled() {
		synchronized (this.listeners) {
			return this.cancelled;
		}
	}

	/**
	 * Runs a listener when it happens, at once if it has happened already.
	 * @param listener must be quick and must not throw
	 * @return takes the listener back
	 */
	public Registration onCancel(Runnable listener) {
		synchronized (this.listeners) {
			if (!this.cancelled) {
				this.listeners.add(listener);
				return () -> {
					synchronized (this.listeners) {
						this.listeners.remove(listener);
					}
				};
			}
		}
		listener.run();
		return () -> {
		};
	}

	/**
	 * Takes a listener back.
	 */
	@FunctionalInterface
	public interface Registration extends AutoCloseable {

		/**
		 * Takes the listener back; it does not run any more unless it is running.
		 */
		@Override
		void close();

	}

}
