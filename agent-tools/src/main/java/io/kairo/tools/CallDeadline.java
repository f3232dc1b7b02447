package io.kairo.tools;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.tools.session.ProcessorTurns;
import org.jspecify.annotations.Nullable;

/**
 * The end of the work of a call: its deadline, its cancellation, or the interruption of
 * the thread that began it. Safe for use by several threads.
 */
public final class CallDeadline {

	/**
	 * The default timeout of a call that reads, edits or compares files.
	 */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);

	private final Thread thread = Thread.currentThread();

	private final long start = System.nanoTime();

	private final Duration timeout;

	private final Cancellation cancellation;

	private final @Nullable ProcessorTurns turns;

	private final String tenant;

	/** The ends of the turns by thread: a search has several. */
	private final Map<Thread, Long> turnEnds = new ConcurrentHashMap<>();

	/**
	 * Creates the deadline of a call that begins now on this thread.
	 * @param timeout the timeout; more than a day counts as a day
	 * @param cancellation the cancellation of the call
	 */
	public CallDeadline(Duration timeout, Cancellation cancellation) {
		this(timeout, cancellation, null, "");
	}

	/**
	 * Creates the deadline of a call that takes turns with others.
	 */
	CallDeadline(Duration timeout, Cancellation cancellation, @Nullable ProcessorTurns turns, String tenant) {
		Duration day = Duration.ofDays(1);
		this.timeout = (timeout.compareTo(day) < 0) ? timeout : day;
		this.cancellation = Objects.requireNonNull(cancellation, "cancellation");
		this.turns = turns;
		this.tenant = tenant;
	}

	/**
	 * Returns whether the work has to end. A long call of
	 * {@link ToolContext#deadline(Duration)} waits here for its turn.
	 * @return true if the call was cancelled or its deadline has passed
	 */
	public boolean isOver() {
		if (this.turns != null && System.nanoTime() - turnEnd() >= 0) {
			this.turnEnds.put(Thread.currentThread(), this.turns.await(this.tenant, this::hasEnded));
		}
		return hasEnded();
	}

	private long turnEnd() {
		Long end = this.turnEnds.get(Thread.currentThread());
		return (end != null) ? end : this.start + ProcessorTurns.TURN_NANOS;
	}

	/**
	 * Returns whether the work has to end, without waiting for a turn.
	 * @return true if the call was cancelled or its deadline has passed
	 */
	public boolean hasEnded() {
		return System.nanoTime() - this.start > this.timeout.toNanos() || isCancelled();
	}

	/**
	 * Returns whether the call was cancelled or its thread interrupted.
	 * @return true if the result is no longer needed
	 */
	public boolean isCancelled() {
		return this.cancellation.isCancelled() || this.thread.isInterrupted();
	}

	/**
	 * Returns the timeout of the call.
	 * @return the timeout
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns a timeout of a call if it is above zero.
	 * @param timeout the timeout
	 * @return the timeout
	 * @throws IllegalArgumentException if it is not above zero
	 */
	public static Duration requirePositive(Duration timeout) {
		Objects.requireNonNull(timeout, "deadline");
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("deadline is " + timeout + ": it must be above zero");
		}
		return timeout;
	}

}
