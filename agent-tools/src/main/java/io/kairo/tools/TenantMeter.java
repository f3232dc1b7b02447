package io.kairo.tools;

import java.time.Duration;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one tenant does. Safe for use by several threads.
 */
final class TenantMeter {

	/** How soon a command may have ended: nobody knows. */
	private static final Duration SOON = Duration.ofSeconds(1);

	private final TenantLimits limits;

	private final Bucket calls;

	private final Bucket executions;

	private int running;

	TenantMeter(TenantLimits limits, TimeMeter clock) {
		this.limits = limits;
		this.calls = bucket(limits.callsPerMinute(), clock);
		this.executions = bucket(limits.executionsPerMinute(), clock);
	}

	private static Bucket bucket(int perMinute, TimeMeter clock) {
		return Bucket.builder()
			.addLimit((limit) -> limit.capacity(perMinute).refillGreedy(perMinute, Duration.ofMinutes(1)))
			.withCustomTimePrecision(clock)
			.build();
	}

	/**
	 * Counts a call.
	 * @return why it must not be made, null if it may
	 */
	@Nullable LimitExceeded call() {
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
		return this.running == 0 && this.calls.getAvailableTokens() == this.limits.callsPerMinute()
				&& this.executions.getAvailableTokens() == this.limits.executionsPerMinute();
	}

	synchronized TenantUsage usage(String tenant) {
		return new TenantUsage(tenant, this.limits, this.running,
				this.limits.executionsPerMinute() - this.executions.getAvailableTokens(),
				this.limits.callsPerMinute() - this.calls.getAvailableTokens());
	}

	private static @Nullable LimitExceeded take(Bucket bucket, String limit, int maximum) {
		ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
		return probe.isConsumed() ? null
				: new LimitExceeded(limit, maximum, Duration.ofNanos(probe.getNanosToWaitForRefill()));
	}

}
