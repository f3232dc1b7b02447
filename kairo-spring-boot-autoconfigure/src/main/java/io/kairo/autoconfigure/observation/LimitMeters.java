package io.kairo.autoconfigure.observation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.LimitsInterceptor;
import io.kairo.tools.TenantUsage;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.core.Ordered;

/**
 * Tells the used share of the limits of each tenant that has called as
 * {@code kairo.tenant.limit}: of those that share a tag the largest.
 */
final class LimitMeters implements ToolInterceptor, Ordered {

	private final MeterRegistry registry;

	private final TenantTag tenantTag;

	private final LimitsInterceptor limits;

	private final Set<String> registered = ConcurrentHashMap.newKeySet();

	LimitMeters(MeterRegistry registry, TenantTag tenantTag, LimitsInterceptor limits) {
		this.registry = registry;
		this.tenantTag = tenantTag;
		this.limits = limits;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE + 2;
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		String tenant = this.tenantTag.value(context.tenant());
		if (this.registered.add(tenant)) {
			gauge(tenant, "concurrent-executions",
					(usage) -> (double) usage.runningExecutions() / usage.limits().concurrentExecutions());
			gauge(tenant, "executions-per-minute",
					(usage) -> (double) usage.executionsLastMinute() / usage.limits().executionsPerMinute());
			gauge(tenant, "calls-per-minute",
					(usage) -> (double) usage.callsLastMinute() / usage.limits().callsPerMinute());
		}
		return chain.proceed(call, context);
	}

	private void gauge(String tenant, String limit, ToDoubleFunction<TenantUsage> share) {
		Gauge
			.builder("kairo.tenant.limit", this.limits,
					(limits) -> limits.usage()
						.stream()
						.filter((usage) -> tenant.equals(tag(usage)))
						.mapToDouble(share)
						.max()
						.orElse(0))
			.description("The used share of a limit, from 0 to 1")
			.tags("limit", limit, "tenant", tenant)
			.register(this.registry);
	}

	private String tag(TenantUsage usage) {
		return this.tenantTag.value(new TenantContext(usage.tenant(), "any"));
	}

}
