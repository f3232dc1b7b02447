package io.kairo.autoconfigure.observation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.kairo.tools.limits.LimitsInterceptor;
import io.kairo.tools.limits.TenantLimits;
import io.kairo.tools.limits.TenantUsage;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

/**
 * Publishes the used share of the limits of each tenant that has called as
 * {@code kairo.tenant.limit}. Of the tenants that share a tag, the largest share counts.
 */
final class LimitMeters implements ToolInterceptor, Ordered {

	private final LimitGauges gauges;

	private final TenantTag tenantTag;

	private final LimitsInterceptor limits;

	private final @Nullable LeasingWorkspaceProvider provider;

	private final ToIntFunction<String> maxWorkspaces;

	private final Set<String> registered = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the meters.
	 * @param registry the registry of the meters
	 * @param tenantTag limits the values of the tag tenant
	 * @param limits counts the calls
	 * @param provider counts the workspaces, null if there is no such provider
	 * @param maxWorkspaces the maximum number of open workspaces of a tenant
	 */
	LimitMeters(MeterRegistry registry, TenantTag tenantTag, LimitsInterceptor limits,
			@Nullable LeasingWorkspaceProvider provider, ToIntFunction<String> maxWorkspaces) {
		this.provider = provider;
		this.maxWorkspaces = maxWorkspaces;
		this.gauges = new LimitGauges(registry);
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
					(usage) -> (usage.limits().executionsPerMinute() == TenantLimits.UNLIMITED) ? 0
							: (double) usage.executionsLastMinute() / usage.limits().executionsPerMinute());
			gauge(tenant, "calls-per-minute",
					(usage) -> (double) usage.callsLastMinute() / usage.limits().callsPerMinute());
			gauge(tenant, "concurrent-calls",
					(usage) -> (double) usage.runningCalls() / usage.limits().concurrentCalls());
			if (this.provider != null) {
				workspaces(tenant, this.provider);
			}
		}
		return chain.proceed(call, context);
	}

	private void workspaces(String tenant, LeasingWorkspaceProvider provider) {
		register(tenant, "workspaces",
				() -> provider.open()
					.entrySet()
					.stream()
					.filter((open) -> tenant.equals(tag(open.getKey())))
					.mapToDouble((open) -> (double) open.getValue() / this.maxWorkspaces.applyAsInt(open.getKey()))
					.max()
					.orElse(0));
	}

	private void gauge(String tenant, String limit, ToDoubleFunction<TenantUsage> share) {
		register(tenant, limit,
				() -> this.limits.usage()
					.stream()
					.filter((usage) -> tenant.equals(tag(usage.tenant())))
					.mapToDouble(share)
					.max()
					.orElse(0));
	}

	private void register(String tenant, String limit, DoubleSupplier share) {
		this.gauges.register(tenant, limit, this, (meters) -> share.getAsDouble());
	}

	private String tag(String tenantId) {
		return this.tenantTag.value(new TenantContext(tenantId, "any"));
	}

}
