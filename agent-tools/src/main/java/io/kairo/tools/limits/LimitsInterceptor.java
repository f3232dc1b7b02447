package io.kairo.tools.limits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.kairo.tools.LimitExceeded;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor that enforces the limits of each tenant. A call that exceeds a limit is
 * not made; its result names the limit and the time to wait. Every call counts as a call
 * for its duration, and a call of a tool that runs commands also as an execution.
 * <p>
 * A tenant without calls for a minute is forgotten; events that still count are not. Safe
 * for use by several threads; tenants do not wait for each other.
 *
 * @since 0.1.0
 */
public final class LimitsInterceptor implements ToolInterceptor {

	/** Number of tenants at which idle ones are first removed. */
	private static final int CROWD = 1000;

	private final Function<String, TenantLimits> limits;

	private final Predicate<String> executes;

	private final LongSupplier nanoTime;

	/** By tenant; guarded by itself. */
	private final Map<String, TenantMeter> meters = new LinkedHashMap<>();

	private int sweepAt = CROWD;

	/**
	 * Creates the interceptor.
	 * @param limits the limits of a tenant by its id, always the same
	 * @param executes returns whether the tool of a name runs commands; names come from
	 * models
	 */
	public LimitsInterceptor(Function<String, TenantLimits> limits, Predicate<String> executes) {
		this(limits, executes, System::nanoTime);
	}

	LimitsInterceptor(Function<String, TenantLimits> limits, Predicate<String> executes, LongSupplier nanoTime) {
		this.limits = Objects.requireNonNull(limits, "limits");
		this.executes = Objects.requireNonNull(executes, "executes");
		this.nanoTime = nanoTime;
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		boolean executes = this.executes.test(call.name());
		Admission admission = admit(context.tenant().tenantId(), (meter) -> meter.start(executes));
		if (admission.exceeded() != null) {
			return admission.exceeded().result();
		}
		try {
			return chain.proceed(call, context);
		}
		finally {
			admission.meter().end(executes);
		}
	}

	/**
	 * Counts a request that does not call a tool, such as one that opens a session, as a
	 * call that has ended.
	 * @param tenant the id of the tenant
	 * @return the limit that the request exceeds, empty if it is admitted
	 */
	public Optional<LimitExceeded> count(String tenant) {
		return Optional.ofNullable(admit(tenant, TenantMeter::call).exceeded());
	}

	/**
	 * Admits a call. Counts under the lock, so that a meter cannot be removed between
	 * lookup and counting.
	 */
	private Admission admit(String tenant, Function<TenantMeter, @Nullable LimitExceeded> count) {
		synchronized (this.meters) {
			TenantMeter meter = this.meters.get(tenant);
			if (meter == null) {
				forgetIdle();
				meter = new TenantMeter(this.limits.apply(tenant), this.nanoTime);
				this.meters.put(tenant, meter);
			}
			return new Admission(meter, count.apply(meter));
		}
	}

	private void forgetIdle() {
		if (this.meters.size() >= this.sweepAt) {
			this.meters.values().removeIf(TenantMeter::isIdle);
			this.sweepAt = Math.max(CROWD, this.meters.size() * 2);
		}
	}

	/**
	 * Returns the limits of a tenant.
	 * @param tenant the id of the tenant
	 * @return its limits
	 */
	public TenantLimits limits(String tenant) {
		return this.limits.apply(tenant);
	}

	/**
	 * Returns the usage of the tenants.
	 * @return a copy, in the order of their ids, of at least the tenants with calls in
	 * the last minute
	 */
	public List<TenantUsage> usage() {
		List<TenantUsage> usage = new ArrayList<>();
		synchronized (this.meters) {
			this.meters.forEach((tenant, meter) -> usage.add(meter.usage(tenant)));
		}
		usage.sort(Comparator.comparing(TenantUsage::tenant));
		return usage;
	}

	/**
	 * The admission of a call.
	 *
	 * @param meter the meter of the tenant
	 * @param exceeded the limit that the call exceeds, null if it is admitted
	 */
	private record Admission(TenantMeter meter, @Nullable LimitExceeded exceeded) {

	}

	/**
	 * The calls and commands of one tenant. Safe for use by several threads.
	 */
	private static final class TenantMeter {

		/** Time to wait for a call in progress, whose end is unknown. */
		private static final Duration SOON = Duration.ofSeconds(1);

		private final TenantLimits limits;

		private final SlidingMinute calls;

		private final SlidingMinute executions;

		private int running;

		private int executing;

		TenantMeter(TenantLimits limits, LongSupplier nanoTime) {
			this.limits = limits;
			this.calls = new SlidingMinute(limits.callsPerMinute(), nanoTime);
			this.executions = new SlidingMinute(limits.executionsPerMinute(), nanoTime);
		}

		/**
		 * Counts a call.
		 * @return the limit that it exceeds, null if it is admitted
		 */
		synchronized @Nullable LimitExceeded call() {
			return take(this.calls, LimitExceeded.CALLS_PER_MINUTE, this.limits.callsPerMinute());
		}

		/**
		 * Counts a call that starts.
		 * @param executes whether it runs a command
		 * @return the limit that it exceeds, null if it is admitted and
		 * {@link #end(boolean)} must follow
		 */
		synchronized @Nullable LimitExceeded start(boolean executes) {
			LimitExceeded exceeded = call();
			if (exceeded == null && this.running >= this.limits.concurrentCalls()) {
				return new LimitExceeded(LimitExceeded.CONCURRENT_CALLS, this.limits.concurrentCalls(), SOON);
			}
			if (exceeded == null && executes) {
				exceeded = execute();
			}
			if (exceeded == null) {
				this.running++;
			}
			return exceeded;
		}

		private @Nullable LimitExceeded execute() {
			if (this.executing >= this.limits.concurrentExecutions()) {
				return new LimitExceeded(LimitExceeded.CONCURRENT_EXECUTIONS, this.limits.concurrentExecutions(), SOON);
			}
			LimitExceeded exceeded = take(this.executions, LimitExceeded.EXECUTIONS_PER_MINUTE,
					this.limits.executionsPerMinute());
			if (exceeded == null) {
				this.executing++;
			}
			return exceeded;
		}

		synchronized void end(boolean executes) {
			this.running--;
			this.executing -= executes ? 1 : 0;
		}

		/**
		 * Returns whether this meter is equivalent to a new one.
		 */
		synchronized boolean isIdle() {
			return this.running == 0 && this.calls.count() == 0 && this.executions.count() == 0;
		}

		synchronized TenantUsage usage(String tenant) {
			return new TenantUsage(tenant, this.limits, this.executing, this.executions.count(), this.calls.count(),
					this.running);
		}

		private static @Nullable LimitExceeded take(SlidingMinute minute, String limit, int maximum) {
			long wait = minute.take();
			return (wait == 0) ? null : new LimitExceeded(limit, maximum, Duration.ofNanos(wait));
		}

	}

}
