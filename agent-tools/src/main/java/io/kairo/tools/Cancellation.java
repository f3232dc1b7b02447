package io.kairo.tools;

import java.util.ArrayList;
import java.util.List;

/**
 * The cancellation of a call whose caller no longer waits for the result. Safe for use by
 * several threads.
 */
public final class Cancellation {

	private final List<Runnable> listeners = new ArrayList<>();

	private boolean cancelled;

	/**
	 * Creates a cancellation that has not been requested.
	 */
	public Cancellation() {
	}

	/**
	 * Cancels the call and runs every registered listener on this thread. Further
	 * invocations have no effect.
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
	 * Returns whether the call was cancelled.
	 * @return true after {@link #cancel()}
	 */
	public boolean isCancelled() {
		synchronized (this.listeners) {
			return this.cancelled;
		}
	}

	/**
	 * Runs a listener on cancellation, at once if the call was cancelled already.
	 * @param listener a listener that returns quickly and does not throw
	 * @return the registration, to be closed to remove the listener
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
	 * A registered listener.
	 */
	@FunctionalInterface
	public interface Registration extends AutoCloseable {

		/**
		 * Removes the listener. It does not run afterwards unless it is already running.
		 */
		@Override
		void close();

	}

}
