package io.kairo.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The turns of long calls on the processors. Short calls need none, and one processor is
 * left to them, if there are more than two. Turns pass from tenant to tenant, so that a
 * tenant with many calls delays its own. A turn ends after a while, and is not given back
 * before. Safe for use by several threads.
 */
final class ProcessorTurns {

	/** The time that a call works without a turn, and the length of a turn. */
	static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** Bounds the time until a waiting call notices its end. */
	private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** Number of tenants at which the order of their last turns is forgotten. */
	private static final int CROWD = 1000;

	private final ReentrantLock lock = new ReentrantLock();

	/** The end of the last turn on each processor; guarded by {@link #lock}. */
	private final long[] ends;

	/** In the order of their arrival; guarded by {@link #lock}. */
	private final List<Waiting> waiting = new ArrayList<>();

	/** The number of the last turn by tenant; guarded by {@link #lock}. */
	private final Map<String, Long> last = new HashMap<>();

	private long count;

	/**
	 * Creates the turns.
	 * @param processors the number of processors for long calls, above zero
	 */
	ProcessorTurns(int processors) {
		this.ends = new long[processors];
		Arrays.fill(this.ends, System.nanoTime());
	}

	/**
	 * Creates the turns of an application.
	 */
	static ProcessorTurns ofMachine() {
		return new ProcessorTurns(Math.max(2, Runtime.getRuntime().availableProcessors() - 1));
	}

	/**
	 * Waits for a turn, or for the end of the call.
	 * @param tenant the id of the tenant
	 * @return the end of the turn, as of {@link System#nanoTime()}
	 */
	long await(String tenant, CallDeadline deadline) {
		this.lock.lock();
		Waiting own = new Waiting(tenant, this.lock.newCondition());
		this.waiting.add(own);
		try {
			while (!deadline.hasEnded()) {
				long now = System.nanoTime();
				int free = firstFree();
				if (!next().equals(own)) {
					own.woken.awaitNanos(WAIT_NANOS);
				}
				else if (this.ends[free] - now > 0) {
					own.woken.awaitNanos(this.ends[free] - now);
				}
				else {
					this.ends[free] = now + TURN_NANOS;
					taken(tenant);
					break;
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.waiting.remove(own);
			if (!this.waiting.isEmpty()) {
				next().woken.signal();
			}
			this.lock.unlock();
		}
		return System.nanoTime() + TURN_NANOS;
	}

	/**
	 * Returns the processor whose turn ends first.
	 */
	private int firstFree() {
		int first = 0;
		for (int i = 1; i < this.ends.length; i++) {
			first = (this.ends[i] - this.ends[first] < 0) ? i : first;
		}
		return first;
	}

	/**
	 * Returns the call that waits for longest, of the tenant whose last turn was first.
	 */
	private Waiting next() {
		Waiting next = this.waiting.get(0);
		for (Waiting each : this.waiting) {
			next = (lastTurn(each) < lastTurn(next)) ? each : next;
		}
		return next;
	}

	private long lastTurn(Waiting call) {
		return this.last.getOrDefault(call.tenant, 0L);
	}

	private void taken(String tenant) {
		if (this.last.size() >= CROWD) {
			this.last.clear();
		}
		this.last.put(tenant, ++this.count);
	}

	/**
	 * A call that waits.
	 *
	 * @param tenant the id of its tenant
	 * @param woken signalled when it may be next
	 */
	private record Waiting(String tenant, Condition woken) {

	}

}
