package io.kairo.autoconfigure.observation;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.governance.ledger.BudgetStatus;
import io.kairo.governance.ledger.Budgets;
import io.kairo.governance.ledger.UsageLedgerException;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

/**
 * Publishes the used share of the budgets of each tenant that has started a command as
 * {@code kairo.tenant.limit}. Of the tenants that share a tag, the largest share counts.
 * The ledger is read at most once in {@link #FRESH}.
 */
final class BudgetMeters implements SandboxInterceptor, Ordered {

	private static final Duration FRESH = Duration.ofSeconds(10);

	private final LimitGauges gauges;

	private final TenantTag tenantTag;

	private final Budgets budgets;

	private final LongSupplier nanoTime;

	private final Set<String> registered = ConcurrentHashMap.newKeySet();

	private @Nullable Known known;

	BudgetMeters(MeterRegistry registry, TenantTag tenantTag, Budgets budgets, LongSupplier nanoTime) {
		this.gauges = new LimitGauges(registry);
		this.tenantTag = tenantTag;
		this.budgets = budgets;
		this.nanoTime = nanoTime;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE + 2;
	}

	@Override
	public SandboxHandle intercept(SandboxRequest request, Chain chain) {
		String tenant = this.tenantTag.value(request.tenant());
		if (this.registered.add(tenant)) {
			gauge(tenant, "executions-per-day",
					(status) -> share(status.usage().executions(), status.budget().executions()));
			gauge(tenant, "cpu-time-per-day", (status) -> share(status.usage().cpuTime().toMillis(),
					(status.budget().cpuTime() != null) ? status.budget().cpuTime().toMillis() : null));
			gauge(tenant, "output-per-day",
					(status) -> share(status.usage().outputBytes(), status.budget().outputBytes()));
		}
		return chain.proceed(request);
	}

	private static double share(long used, @Nullable Long maximum) {
		return (maximum != null) ? Math.min(1, (double) used / Math.max(1, maximum)) : 0;
	}

	private void gauge(String tenant, String limit, ToDoubleFunction<BudgetStatus> share) {
		this.gauges.register(tenant, limit, this, (meters) -> {
			List<BudgetStatus> statuses = meters.statuses();
			return (statuses == null) ? Double.NaN
					: statuses.stream()
						.filter((status) -> tenant
							.equals(meters.tenantTag.value(new TenantContext(status.usage().tenant(), "any"))))
						.mapToDouble(share)
						.max()
						.orElse(0);
		});
	}

	/**
	 * Returns the usage of the current day.
	 * @return null if it cannot be read
	 */
	private synchronized @Nullable List<BudgetStatus> statuses() {
		long now = this.nanoTime.getAsLong();
		if (this.known == null || now - this.known.time() >= FRESH.toNanos()) {
			this.known = new Known(now, read());
		}
		return this.known.statuses();
	}

	private @Nullable List<BudgetStatus> read() {
		try {
			return this.budgets.statuses();
		}
		catch (UsageLedgerException ex) {
			return null;
		}
	}

	/**
	 * The usage when it was last read.
	 *
	 * @param time the time
	 * @param statuses the usage, null if it could not be read
	 */
	private record Known(long time, @Nullable List<BudgetStatus> statuses) {

	}

}
