package io.kairo.tools.limits;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.tools.LimitExceeded;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor that enforces the limits of each tenant on calls of tools and on
 * commands. A call that exceeds a limit is not made; its result names the limit and the
 * time to wait. Every call counts as a call for its duration, and a call of a tool that
 * runs commands also as an execution.
 * <p>
 * A call whose command may not run yet waits for its turn: calls of a tenant are served
 * in the order of their arrival, and none waits for longer than
 * {@link TenantLimits#executionWaitTimeout()}. A command that an application starts
 * itself never waits, as {@link io.kairo.api.sandbox.ExecutionSandbox#start} does not:
 * with this interceptor around the sandbox, it is an execution until it ends, or is
 * refused. The commands of a tool are not counted twice.
 * <p>
 * A tenant without calls for a minute is forgotten; events that still count are not. Safe
 * for use by several threads; tenants do not wait for each other.
 */
public final class LimitsInterceptor implements ToolInterceptor, SandboxInterceptor {

	/** Number of tenants that triggers the first removal of idle ones. */
	private static final int CROWD = 1000;

	private final Function<String, TenantLimits> limits;

	private final Predicate<String> executes;

	private final Predicate<SandboxRequest> counts;

	private final LongSupplier nanoTime;

	/** By tenant; guarded by itself. */
	private final Map<String, TenantMeter> meters = new LinkedHashMap<>();

	/** The permit for the commands that a thread starts. */
	@SuppressWarnings("ThreadLocalUsage") // each interceptor has its own, removed at once
	private final ThreadLocal<@Nullable ExecutionPermit> permits = new ThreadLocal<>();

	/** The tenant whose command a thread is starting. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable String> starting = new ThreadLocal<>();

	private int sweepAt = CROWD;

	/**
	 * Creates the interceptor.
	 * @param limits the limits of a tenant by its id, always the same
	 * @param executes returns whether the tool of a name runs commands; names come from
	 * models
	 */
	public LimitsInterceptor(Function<String, TenantLimits> limits, Predicate<String> executes) {
		this(limits, executes, (request) -> true);
	}

	/**
	 * Creates the interceptor.
	 * @param limits the limits of a tenant by its id, always the same
	 * @param executes returns whether the tool of a name runs commands; names come from
	 * models
	 * @param counts returns whether a command takes one of the concurrent executions of
	 * its tenant until it ends; the call that starts it waits for one in any case
	 */
	public LimitsInterceptor(Function<String, TenantLimits> limits, Predicate<String> executes,
			Predicate<SandboxRequest> counts) {
		this(limits, executes, counts, System::nanoTime);
	}

	LimitsInterceptor(Function<String, TenantLimits> limits, Predicate<String> executes, LongSupplier nanoTime) {
		this(limits, executes, (request) -> true, nanoTime);
	}

	private LimitsInterceptor(Function<String, TenantLimits> limits, Predicate<String> executes,
			Predicate<SandboxRequest> counts, LongSupplier nanoTime) {
		this.counts = Objects.requireNonNull(counts, "counts");
		this.limits = Objects.requireNonNull(limits, "limits");
		this.executes = Objects.requireNonNull(executes, "executes");
		this.nanoTime = nanoTime;
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, ToolInterceptor.Chain chain) {
		Admission admission = admit(context.tenant().tenantId(), TenantMeter::start);
		if (admission.exceeded() != null) {
			return admission.exceeded().result();
		}
		try {
			return this.executes.test(call.name()) ? execute(admission.meter(), call, context, chain)
					: chain.proceed(call, context);
		}
		finally {
			admission.meter().end();
		}
	}

	/**
	 * Makes a call that runs commands. A call within another one shares its slot, since
	 * it could otherwise wait for itself.
	 */
	private ToolResult execute(TenantMeter meter, ToolCall call, ToolContext context, ToolInterceptor.Chain chain) {
		String tenant = context.tenant().tenantId();
		ExecutionPermit outer = this.permits.get();
		if (outer != null && outer.covers(tenant)) {
			LimitExceeded exceeded = outer.extend();
			return (exceeded != null) ? exceeded.result() : chain.proceed(call, context);
		}
		ToolResult refused = new ExecutionWait(meter).await(context);
		if (refused != null) {
			return refused;
		}
		try (ExecutionPermit permit = new ExecutionPermit(tenant, meter)) {
			SandboxInterceptor marker = (request, sandbox) -> with(this.permits, permit,
					() -> sandbox.proceed(request));
			ToolContext marked = context.toBuilder()
				.sandbox(SandboxInterceptor.around(context.sandbox(), List.of(marker)))
				.build();
			return with(this.permits, permit, () -> chain.proceed(call, marked));
		}
	}

	@Override
	public SandboxHandle intercept(SandboxRequest request, SandboxInterceptor.Chain chain) {
		String tenant = request.tenant().tenantId();
		if (tenant.equals(this.starting.get()) || !this.counts.test(request)) {
			// a sandbox that delegates to another one, or a command without limit
			return chain.proceed(request);
		}
		ExecutionPermit permit = this.permits.get();
		if (permit == null || !permit.covers(tenant) || !permit.begin()) {
			permit = ofCommand(tenant);
		}
		return start(permit, () -> with(this.starting, tenant, () -> chain.proceed(request)));
	}

	/**
	 * Returns the permit of a command that belongs to no call, or runs besides another
	 * one of its call.
	 */
	private ExecutionPermit ofCommand(String tenant) {
		Admission admission = admit(tenant, TenantMeter::executeNow);
		if (admission.exceeded() != null) {
			throw admission.exceeded().exception();
		}
		ExecutionPermit permit = new ExecutionPermit(tenant, admission.meter());
		permit.begin();
		permit.close();
		return permit;
	}

	private static SandboxHandle start(ExecutionPermit permit, Supplier<SandboxHandle> command) {
		SandboxHandle handle;
		try {
			handle = command.get();
		}
		catch (RuntimeException | Error ex) {
			permit.end(false);
			throw ex;
		}
		return new SlotHoldingHandle(handle, permit);
	}

	private static <V, T> T with(ThreadLocal<@Nullable V> variable, V value, Supplier<T> work) {
		V before = variable.get();
		variable.set(value);
		try {
			return work.get();
		}
		finally {
			if (before != null) {
				variable.set(before);
			}
			else {
				variable.remove();
			}
		}
	}

	/**
	 * Counts a request that calls no tool, such as the opening of a session, as a call
	 * that has ended.
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

}
