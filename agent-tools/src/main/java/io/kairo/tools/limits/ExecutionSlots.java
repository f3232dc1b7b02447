package io.kairo.tools.limits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The slots for the commands of one tenant, given to waiting calls in the order of their
 * arrival. Safe for use by several threads.
 */
final class ExecutionSlots {

	private final int maximum;

	/** Guarded by this, like everything below. */
	private final List<Ticket> waiting = new ArrayList<>();

	private int taken;

	/**
	 * Creates free slots.
	 * @param maximum the number of slots
	 */
	ExecutionSlots(int maximum) {
		this.maximum = maximum;
	}

	/**
	 * Takes a slot without waiting.
	 * @return false if none is free
	 */
	synchronized boolean take() {
		// a slot that becomes free goes to a waiting call, so that none waits here
		if (this.taken >= this.maximum) {
			return false;
		}
		this.taken++;
		return true;
	}

	/**
	 * Takes a slot, or a place at the end of the queue.
	 */
	synchronized Ticket queue() {
		Ticket ticket = new Ticket();
		if (take()) {
			ticket.granted = true;
		}
		else {
			this.waiting.add(ticket);
		}
		return ticket;
	}

	/**
	 * Gives a slot back. It passes to the first waiting call.
	 */
	synchronized void free() {
		if (this.waiting.isEmpty()) {
			this.taken--;
		}
		else {
			Ticket first = this.waiting.remove(0);
			first.granted = true;
			first.wake();
		}
	}

	synchronized int taken() {
		return this.taken;
	}

	synchronized int waiting() {
		return this.waiting.size();
	}

	/**
	 * The place of a call in the queue.
	 */
	final class Ticket {

		private final Semaphore awake = new Semaphore(0);

		private boolean granted;

		/**
		 * Returns whether the call has a slot. {@link ExecutionSlots#free()} gives it
		 * back.
		 */
		boolean granted() {
			synchronized (ExecutionSlots.this) {
				return this.granted;
			}
		}

		/**
		 * Returns the position in the queue, beginning with 1; 0 outside of it.
		 */
		int position() {
			synchronized (ExecutionSlots.this) {
				return ExecutionSlots.this.waiting.indexOf(this) + 1;
			}
		}

		/**
		 * Leaves the queue.
		 * @return false if the call has a slot meanwhile
		 */
		boolean leave() {
			synchronized (ExecutionSlots.this) {
				return ExecutionSlots.this.waiting.remove(this);
			}
		}

		/**
		 * Waits for a slot, for {@link #wake()}, or for the given time.
		 */
		void await(Duration time) throws InterruptedException {
			if (this.awake.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS)) {
				this.awake.drainPermits();
			}
		}

		void wake() {
			this.awake.release();
		}

	}

}
