package io.kairo.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

import io.kairo.tools.LimitsInterceptor;
import io.kairo.tools.TenantLimits;
import io.kairo.tools.TenantUsage;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * Shows what tenants use of their limits.
 *
 * @since 0.1.0
 */
@Endpoint(id = "kairotenants", defaultAccess = Access.READ_ONLY)
public class TenantsEndpoint {

	private final LimitsInterceptor limits;

	private final @Nullable LeasingWorkspaceProvider provider;

	private final ToIntFunction<String> maxWorkspaces;

	/**
	 * Creates the endpoint.
	 * @param limits counts the calls
	 * @param provider counts the workspaces, null if nobody does
	 * @param maxWorkspaces how many of them a tenant may have open
	 */
	TenantsEndpoint(LimitsInterceptor limits, @Nullable LeasingWorkspaceProvider provider,
			ToIntFunction<String> maxWorkspaces) {
		this.limits = limits;
		this.provider = provider;
		this.maxWorkspaces = maxWorkspaces;
	}

	/**
	 * Returns the tenants that did something lately or have workspaces open.
	 * @return the tenants in the order of their ids
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
		return new Tenant(usage.tenant(),
				new Limits(limits.concurrentExecutions(), limits.executionsPerMinute(), limits.callsPerMinute(),
						this.maxWorkspaces.applyAsInt(usage.tenant())),
				usage.runningExecutions(), usage.executionsLastMinute(), usage.callsLastMinute(),
				open.getOrDefault(usage.tenant(), 0));
	}

	/**
	 * The tenants.
	 *
	 * @param tenants the tenants
	 */
	public record Tenants(List<Tenant> tenants) {

	}

	/**
	 * What one tenant uses of its limits.
	 *
	 * @param tenant the id of the tenant
	 * @param limits its limits
	 * @param runningExecutions how many of its commands run now
	 * @param executionsLastMinute how many of the commands of a minute are used up
	 * @param callsLastMinute how many of the calls of a minute are used up
	 * @param openWorkspaces how many workspaces it has open
	 */
	public record Tenant(String tenant, Limits limits, int runningExecutions, long executionsLastMinute,
			long callsLastMinute, int openWorkspaces) {

	}

	/**
	 * How much one tenant may do.
	 *
	 * @param concurrentExecutions how many commands may run at the same time
	 * @param executionsPerMinute how many commands may be started in a minute
	 * @param callsPerMinute how many calls may be made in a minute
	 * @param workspaces how many workspaces may be open at the same time
	 */
	public record Limits(int concurrentExecutions, int executionsPerMinute, int callsPerMinute, int workspaces) {

	}

}
