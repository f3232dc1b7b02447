package io.kairo.tools.limits;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * Holds each tenant to its limits. A call over one of them is not made: its result says
 * which limit, and when to try again. Every call counts as one, a call of a tool that
 * runs commands as an execution too, for as long as the call takes.
 * <p>
 * A tenant that has done nothing for a minute is forgotten, and nothing is forgotten that
 * still counts. Safe for use by several threads; tenants do not wait for each other.
 *
 * @since 0.1.0
 */
public final class LimitsInterceptor implements ToolInterceptor {

	/** How many tenants are known before those that are idle are looked for. */
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
	 * @param executes whether the tool of a name runs commands; names are of a model's
	 * making
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
		Admission admission = admit(context.tenant().tenantId(), executes);
		if (admission.exceeded() != null) {
			return admission.exceeded().result();
		}
		try {
			return chain.proceed(call, context);
		}
		finally {
			if (executes) {
				admission.meter().executed();
			}
		}
	}

	/**
	 * Counts under the lock, so that no meter is forgotten between being found and
	 * counting.
	 */
	private Admission admit(String tenant, boolean executes) {
		synchronized (this.meters) {
			TenantMeter meter = this.meters.get(tenant);
			if (meter == null) {
				forgetIdle();
				meter = new TenantMeter(this.limits.apply(tenant), this.nanoTime);
				this.meters.put(tenant, meter);
			}
			LimitExceeded exceeded = meter.call();
			return new Admission(meter, (exceeded == null && executes) ? meter.execute() : exceeded);
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
	 * Returns what tenants use of their limits.
	 * @return a copy, of the tenants that used something in the last minute at least, in
	 * the order of their ids
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
	 * Whether a call may be made.
	 *
	 * @param meter counts for the tenant
	 * @param exceeded why not, null if it may
	 */
	private record Admission(TenantMeter meter, @Nullable LimitExceeded exceeded) {

	}

}
