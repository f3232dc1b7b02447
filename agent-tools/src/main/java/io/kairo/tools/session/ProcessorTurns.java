package io.kairo.tools.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The turns of tenants on the processors. Requests need one only while several tenants
 * are active, and long calls always. Turns pass from tenant to tenant, so that a tenant
 * with much work delays its own, and a tenant leaves one processor to the others while
 * they are active. A turn ends after a while, whether it was given back or not. Safe for
 * use by several threads.
 */
public final class ProcessorTurns {

	/**
	 * The turn of a request that needs none.
	 */
	public static final ProcessorTurn NONE = () -> {
	};

	/**
	 * The time that a call works without a turn, and the length of a turn, in
	 * nanoseconds.
	 */
	public static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** The time that a tenant stays active after its last turn. */
	private static final long ACTIVE_NANOS = TimeUnit.SECONDS.toNanos(10);

	/** Maximum time that a request waits for its turn. */
	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** Bounds the time until a waiting call notices its end. */
	private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** Maximum number of tenants in the order of last turns before it is forgotten. */
	private static final int CROWD = 1000;

	private final ReentrantLock lock = new ReentrantLock();

	/** The end of the last turn on each processor; guarded by {@link #lock}. */
	private final long[] ends;

	/** The tenant of the last turn on each processor; guarded by {@link #lock}. */
	private final String[] owners;

	/** The number of processors that a tenant may have while others are active. */
	private final int share;

	/** In the order of their arrival; guarded by {@link #lock}. */
	private final List<Waiting> waiting = new ArrayList<>();

	/** The number of the last turn by tenant; guarded by {@link #lock}. */
	private final Map<String, Long> last = new HashMap<>();

	private long count;

	/** The tenant that was seen last, and when; guarded by {@link #lock}. */
	private @Nullable String latest;

	private long latestSeen;

	/** When another tenant was seen before; guarded by {@link #lock}. */
	private long othersSeen;

	/**
	 * Creates the turns.
	 * @param processors the number of processors, above zero
	 */
	public ProcessorTurns(int processors) {
		this.ends = new long[processors];
		this.owners = new String[processors];
		this.share = Math.max(1, processors - 1);
		long now = System.nanoTime();
		Arrays.fill(this.ends, now);
		Arrays.fill(this.owners, "");
		this.latestSeen = now - ACTIVE_NANOS;
		this.othersSeen = now - ACTIVE_NANOS;
	}

	/**
	 * Creates the turns of an application, on all processors of the machine.
	 * @return the turns
	 */
	public static ProcessorTurns ofMachine() {
		return new ProcessorTurns(Runtime.getRuntime().availableProcessors());
	}

	/**
	 * Begins a request of a tenant. It waits for a turn if other tenants are active.
	 * @param tenant the id of the tenant
	 * @return the turn, to be closed when the request has been handled; {@link #NONE} if
	 * no other tenant is active, or after 5 seconds
	 */
	public ProcessorTurn begin(String tenant) {
		long started = System.nanoTime();
		this.lock.lock();
		try {
			if (!see(tenant, started)) {
				return NONE;
			}
		}
		finally {
			this.lock.unlock();
		}
		Slot slot = take(tenant, () -> System.nanoTime() - started > PATIENCE_NANOS);
		return (slot != null) ? () -> giveBack(slot) : NONE;
	}

	/**
	 * Waits for a turn of a long call, or for the end of the call.
	 * @param tenant the id of the tenant
	 * @param ended whether the call has ended, asked at intervals
	 * @return the end of the turn, as of {@link System#nanoTime()}
	 */
	public long await(String tenant, BooleanSupplier ended) {
		take(tenant, ended);
		return System.nanoTime() + TURN_NANOS;
	}

	/**
	 * Notes that a tenant is active.
	 * @return whether other tenants are active
	 */
	private boolean see(String tenant, long now) {
		if (!tenant.equals(this.latest)) {
			this.othersSeen = this.latestSeen;
			this.latest = tenant;
		}
		this.latestSeen = now;
		return now - this.othersSeen < ACTIVE_NANOS;
	}

	/**
	 * Waits for a turn.
	 * @return the turn, or null if the wait is over
	 */
	private @Nullable Slot take(String tenant, BooleanSupplier over) {
		this.lock.lock();
		Waiting own = new Waiting(tenant, this.lock.newCondition());
		this.waiting.add(own);
		try {
			while (!over.getAsBoolean()) {
				long now = System.nanoTime();
				int maximum = see(tenant, now) ? this.share : this.ends.length;
				Waiting next = next(now);
				if (!next.equals(own)) {
					next.woken.signal();
					own.woken.awaitNanos(WAIT_NANOS);
					continue;
				}
				int free = firstEnd();
				if (this.ends[free] - now > 0 || held(tenant, now) >= maximum) {
					own.woken.awaitNanos(untilNextEnd(now));
					continue;
				}
				this.ends[free] = now + TURN_NANOS;
				this.owners[free] = tenant;
				taken(tenant);
				return new Slot(free, this.ends[free]);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.waiting.remove(own);
			wakeNext();
			this.lock.unlock();
		}
		return null;
	}

	private void giveBack(Slot slot) {
		this.lock.lock();
		try {
			long now = System.nanoTime();
			if (this.ends[slot.processor] == slot.end && slot.end - now > 0) {
				this.ends[slot.processor] = now;
				wakeNext();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void wakeNext() {
		if (!this.waiting.isEmpty()) {
			next(System.nanoTime()).woken.signal();
		}
	}

	/**
	 * Returns the processor whose turn ends first.
	 */
	private int firstEnd() {
		int first = 0;
		for (int i = 1; i < this.ends.length; i++) {
			first = (this.ends[i] - this.ends[first] < 0) ? i : first;
		}
		return first;
	}

	private long untilNextEnd(long now) {
		return Arrays.stream(this.ends).map((end) -> end - now).filter((left) -> left > 0).min().orElse(TURN_NANOS);
	}

	/**
	 * Returns the number of processors used by a tenant in its turn.
	 */
	private int held(String tenant, long now) {
		int held = 0;
		for (int i = 0; i < this.ends.length; i++) {
			held += (this.ends[i] - now > 0 && this.owners[i].equals(tenant)) ? 1 : 0;
		}
		return held;
	}

	/**
	 * Returns the longest waiting call of the tenant whose last turn was first, if
	 * possible a tenant that leaves a processor to others.
	 */
	private Waiting next(long now) {
		return this.waiting.stream()
			.min(Comparator.<Waiting, Boolean>comparing((call) -> held(call.tenant, now) >= this.share)
				.thenComparing(this::lastTurn))
			.orElseThrow();
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
	 * A turn.
	 *
	 * @param processor the number of the processor
	 * @param end its end
	 */
	private record Slot(int processor, long end) {

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
