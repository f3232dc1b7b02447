package io.kairo.tools.limits;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.kairo.tools.LimitExceeded;
import org.jspecify.annotations.Nullable;

/**
 * The calls and commands of one tenant. Safe for use by several threads.
 */
final class TenantMeter {

	/** Time to wait for a call in progress, whose end is unknown. */
	private static final Duration SOON = Duration.ofSeconds(1);

	private final TenantLimits limits;

	private final SlidingMinute calls;

	private final SlidingMinute executions;

	private final ExecutionSlots slots;

	private int running;

	TenantMeter(TenantLimits limits, LongSupplier nanoTime) {
		this.limits = limits;
		this.calls = new SlidingMinute(limits.callsPerMinute(), nanoTime);
		this.executions = new SlidingMinute(limits.executionsPerMinute(), nanoTime);
		this.slots = new ExecutionSlots(limits.concurrentExecutions());
	}

	TenantLimits limits() {
		return this.limits;
	}

	/**
	 * Returns the slots for commands. Each command that takes one also counts towards the
	 * minute.
	 */
	ExecutionSlots slots() {
		return this.slots;
	}

	/**
	 * Counts a call.
	 * @return the limit that it exceeds, null if it is admitted
	 */
	synchronized @Nullable LimitExceeded call() {
		return exceeded(this.calls.take(), LimitExceeded.CALLS_PER_MINUTE, this.limits.callsPerMinute());
	}

	/**
	 * Counts a call that starts.
	 * @return the limit that it exceeds, null if it is admitted and {@link #end()} must
	 * follow
	 */
	synchronized @Nullable LimitExceeded start() {
		LimitExceeded exceeded = call();
		if (exceeded == null && this.running >= this.limits.concurrentCalls()) {
			return new LimitExceeded(LimitExceeded.CONCURRENT_CALLS, this.limits.concurrentCalls(), SOON);
		}
		if (exceeded == null) {
			this.running++;
		}
		return exceeded;
	}

	synchronized void end() {
		this.running--;
	}

	/**
	 * Returns the limit that a command would exceed now: the limit of a minute, as
	 * waiting for a slot is of no use then.
	 */
	synchronized @Nullable LimitExceeded exceededMinute() {
		return exceeded(this.executions.untilNext(), LimitExceeded.EXECUTIONS_PER_MINUTE,
				this.limits.executionsPerMinute());
	}

	/**
	 * Counts a command towards the minute.
	 * @return the limit that it exceeds, null if it is admitted
	 */
	synchronized @Nullable LimitExceeded execute() {
		return exceeded(this.executions.take(), LimitExceeded.EXECUTIONS_PER_MINUTE, this.limits.executionsPerMinute());
	}

	/**
	 * Takes a slot for a command without waiting, and counts the command.
	 * @return the limit that it exceeds, null if it is admitted
	 */
	synchronized @Nullable LimitExceeded executeNow() {
		if (!this.slots.take()) {
			return noSlot();
		}
		LimitExceeded exceeded = execute();
		if (exceeded != null) {
			this.slots.free();
		}
		return exceeded;
	}

	LimitExceeded noSlot() {
		return new LimitExceeded(LimitExceeded.CONCURRENT_EXECUTIONS, this.limits.concurrentExecutions(), SOON);
	}

	/**
	 * Returns whether this meter is equivalent to a new one.
	 */
	synchronized boolean isIdle() {
		return this.running == 0 && this.slots.taken() == 0 && this.calls.count() == 0 && this.executions.count() == 0;
	}

	synchronized TenantUsage usage(String tenant) {
		return new TenantUsage(tenant, this.limits, this.slots.taken(), this.executions.count(), this.calls.count(),
				this.running, this.slots.waiting());
	}

	private static @Nullable LimitExceeded exceeded(long wait, String limit, int maximum) {
		return (wait == 0) ? null : new LimitExceeded(limit, maximum, Duration.ofNanos(wait));
	}

}
