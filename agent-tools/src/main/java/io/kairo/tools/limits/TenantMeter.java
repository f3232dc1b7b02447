package io.kairo.tools.limits;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.kairo.tools.LimitExceeded;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one tenant does. Safe for use by several threads.
 */
final class TenantMeter {

	/** How soon a command may have ended: nobody knows. */
	private static final Duration SOON = Duration.ofSeconds(1);

	private final TenantLimits limits;

	private final SlidingMinute calls;

	private final SlidingMinute executions;

	private int running;

	TenantMeter(TenantLimits limits, LongSupplier nanoTime) {
		this.limits = limits;
		this.calls = new SlidingMinute(limits.callsPerMinute(), nanoTime);
		this.executions = new SlidingMinute(limits.executionsPerMinute(), nanoTime);
	}

	/**
	 * Counts a call.
	 * @return why it must not be made, null if it may
	 */
	synchronized @Nullable LimitExceeded call() {
		return take(this.calls, LimitExceeded.CALLS_PER_MINUTE, this.limits.callsPerMinute());
	}

	/**
	 * Counts a command that starts, unless it must not.
	 * @return why it must not, null if it may and {@link #executed()} must follow
	 */
	synchronized @Nullable LimitExceeded execute() {
		if (this.running >= this.limits.concurrentExecutions()) {
			return new LimitExceeded(LimitExceeded.CONCURRENT_EXECUTIONS, this.limits.concurrentExecutions(), SOON);
		}
		LimitExceeded exceeded = take(this.executions, LimitExceeded.EXECUTIONS_PER_MINUTE,
				this.limits.executionsPerMinute());
		if (exceeded == null) {
			this.running++;
		}
		return exceeded;
	}

	synchronized void executed() {
		this.running--;
	}

	/**
	 * Returns whether a new meter would say the same.
	 */
	synchronized boolean isIdle() {
		return this.running == 0 && this.calls.count() == 0 && this.executions.count() == 0;
	}

	synchronized TenantUsage usage(String tenant) {
		return new TenantUsage(tenant, this.limits, this.running, this.executions.count(), this.calls.count());
	}

	private static @Nullable LimitExceeded take(SlidingMinute minute, String limit, int maximum) {
		long wait = minute.take();
		return (wait == 0) ? null : new LimitExceeded(limit, maximum, Duration.ofNanos(wait));
	}

}
