package io.kairo.autoconfigure.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

import io.kairo.tools.limits.LimitsInterceptor;
import io.kairo.tools.limits.TenantLimits;
import io.kairo.tools.limits.TenantUsage;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint} for the limits of tenants and their current usage.
 */
@Endpoint(id = "kairotenants", defaultAccess = Access.READ_ONLY)
public class TenantsEndpoint {

	private final LimitsInterceptor limits;

	private final @Nullable LeasingWorkspaceProvider provider;

	private final ToIntFunction<String> maxWorkspaces;

	/**
	 * Creates the endpoint.
	 * @param limits counts the calls
	 * @param provider counts the workspaces, null if there is no such provider
	 * @param maxWorkspaces the maximum number of open workspaces of a tenant
	 */
	TenantsEndpoint(LimitsInterceptor limits, @Nullable LeasingWorkspaceProvider provider,
			ToIntFunction<String> maxWorkspaces) {
		this.limits = limits;
		this.provider = provider;
		this.maxWorkspaces = maxWorkspaces;
	}

	/**
	 * Returns the tenants with recent calls or open workspaces.
	 * @return the tenants, ordered by id
	 */
	@ReadOperation
	public Tenants tenants() {
		Map<String, Integer> open = (this.provider != null) ? this.provider.open() : Map.of();
		Map<String, Tenant> tenants = new TreeMap<>();
		open.keySet()
			.forEach((tenant) -> tenants.put(tenant,
					tenant(new TenantUsage(tenant, this.limits.limits(tenant), 0, 0, 0), open)));
		this.limits.usage().forEach((usage) -> tenants.put(usage.tenant(), tenant(usage, open)));
		return new Tenants(List.copyOf(tenants.values()));
	}

	private Tenant tenant(TenantUsage usage, Map<String, Integer> open) {
		TenantLimits limits = usage.limits();
		return new Tenant(usage.tenant(), new Limits(limits.concurrentExecutions(), limits.executionWaitTimeout(),
				(limits.executionsPerMinute() != TenantLimits.UNLIMITED) ? limits.executionsPerMinute() : null,
				limits.callsPerMinute(), limits.concurrentCalls(), this.maxWorkspaces.applyAsInt(usage.tenant())),
				usage.runningExecutions(), usage.waitingExecutions(), usage.executionsLastMinute(),
				usage.callsLastMinute(), usage.runningCalls(), open.getOrDefault(usage.tenant(), 0));
	}

	/**
	 * The tenants.
	 *
	 * @param tenants the tenants
	 */
	public record Tenants(List<Tenant> tenants) {

	}

	/**
	 * The limits of a tenant and their current usage.
	 *
	 * @param tenant the id of the tenant
	 * @param limits its limits
	 * @param runningExecutions the number of running commands
	 * @param waitingExecutions the number of calls that wait until their command may run
	 * @param executionsLastMinute the number of commands that count against the limit per
	 * minute
	 * @param callsLastMinute the number of calls that count against the limit per minute
	 * @param runningCalls the number of calls in progress, including commands
	 * @param openWorkspaces the number of open workspaces
	 */
	public record Tenant(String tenant, Limits limits, int runningExecutions, int waitingExecutions,
			long executionsLastMinute, long callsLastMinute, int runningCalls, int openWorkspaces) {

	}

	/**
	 * The limits of a tenant.
	 *
	 * @param concurrentExecutions the maximum number of commands that run at the same
	 * time
	 * @param executionWaitTimeout the maximum time that a call waits for its command
	 * @param executionsPerMinute the maximum number of commands per minute; null if there
	 * is none
	 * @param callsPerMinute the maximum number of tool calls per minute
	 * @param concurrentCalls the maximum number of calls in progress
	 * @param workspaces the maximum number of open workspaces
	 */
	public record Limits(int concurrentExecutions, Duration executionWaitTimeout, @Nullable Integer executionsPerMinute,
			int callsPerMinute, int concurrentCalls, int workspaces) {

	}

}
