package io.kairo.governance.policy;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes calls that wait for an answer given to this instance. Safe for use by several
 * threads.
 */
final class ApprovalSignals {

	/** By id of the request; guarded by itself. */
	private final Map<String, Set<Waiter>> waiters = new HashMap<>();

	private volatile boolean closed;

	Waiter waiter(String id) {
		Waiter waiter = new Waiter(id);
		synchronized (this.waiters) {
			this.waiters.computeIfAbsent(id, (key) -> new HashSet<>()).add(waiter);
		}
		return waiter;
	}

	void signal(String id) {
		synchronized (this.waiters) {
			this.waiters.getOrDefault(id, Set.of()).forEach(Waiter::wake);
		}
	}

	/**
	 * Ends the waiting of all calls, also of later ones.
	 */
	void close() {
		this.closed = true;
		synchronized (this.waiters) {
			this.waiters.values().forEach((waiting) -> waiting.forEach(Waiter::wake));
		}
	}

	int waiting() {
		synchronized (this.waiters) {
			return this.waiters.values().stream().mapToInt(Set::size).sum();
		}
	}

	/**
	 * A call that waits. Waiting is for one thread, waking for several.
	 */
	final class Waiter implements AutoCloseable {

		private final String id;

		private final Semaphore signals = new Semaphore(0);

		private Waiter(String id) {
			this.id = id;
		}

		boolean isEnded() {
			return ApprovalSignals.this.closed;
		}

		void wake() {
			this.signals.release();
		}

		/**
		 * Waits until it is woken, or was since it last waited.
		 */
		void await(Duration atMost) throws InterruptedException {
			if (this.signals.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
				this.signals.drainPermits();
			}
		}

		@Override
		public void close() {
			synchronized (ApprovalSignals.this.waiters) {
				ApprovalSignals.this.waiters.computeIfPresent(this.id, (key, waiting) -> {
					waiting.remove(this);
					return waiting.isEmpty() ? null : waiting;
				});
			}
		}

	}

}
