package io.kairo.autoconfigure.ledger;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.sandbox.SandboxProperties;
import io.kairo.boot.SandboxWorkers;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Checks at start-up that every sandbox measures the CPU time of the tenants that have a
 * budget of it, since it would never be used up otherwise. Without such a budget, no
 * sandbox is asked.
 */
final class CpuBudgetCheck implements SmartInitializingSingleton {

	private final BudgetProperties properties;

	private final SandboxProperties sandbox;

	private final ObjectProvider<ExecutionSandbox> sandboxes;

	private final ObjectProvider<SandboxWorkers> workers;

	CpuBudgetCheck(BudgetProperties properties, SandboxProperties sandbox, ObjectProvider<ExecutionSandbox> sandboxes,
			ObjectProvider<SandboxWorkers> workers) {
		this.properties = properties;
		this.sandbox = sandbox;
		this.sandboxes = sandboxes;
		this.workers = workers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<String> tenants = new TreeSet<>(this.properties.tenants().keySet());
		tenants.addAll(this.sandbox.tenants().keySet());
		tenants.remove(BudgetProperties.DEFAULT_ENTRY);
		// stands for all tenants without settings of their own
		String other = TenantContext.SINGLE.tenantId();
		while (tenants.contains(other)) {
			other += "_";
		}
		tenants.add(other);
		tenants.forEach(this::check);
	}

	private void check(String tenant) {
		Duration budget = this.properties.budget(tenant).cpuTime();
		if (budget != null && !this.sandbox.of(tenant).type().equals(SandboxProperties.NONE)) {
			TenantContext context = new TenantContext(tenant, TenantContext.SINGLE.principalId());
			this.workers.ifAvailable((remote) -> remote.requireOfUnknown(SandboxCapability.CPU_TIME));
			this.sandboxes.orderedStream()
				.forEach((candidate) -> check(tenant, budget, candidate.capabilities(context)));
		}
	}

	private void check(String tenant, Duration budget, SandboxCapabilities capabilities) {
		if (!capabilities.has(SandboxCapability.CPU_TIME)) {
			String reason = capabilities.reason(SandboxCapability.CPU_TIME);
			TenantBudgetProperties own = this.properties.tenants().get(tenant);
			String entry = (own != null && own.cpuTimePerDay() != null) ? tenant : BudgetProperties.DEFAULT_ENTRY;
			throw new UnmeasuredBudgetException(BudgetProperties.PREFIX + ".tenants." + entry + ".cpu-time-per-day is "
					+ budget + ", but the sandbox '" + capabilities.backend() + "' does not measure CPU time"
					+ (reason.isEmpty() ? "" : " (" + reason + ")") + ", so that the budget would never be used up");
		}
	}

}
