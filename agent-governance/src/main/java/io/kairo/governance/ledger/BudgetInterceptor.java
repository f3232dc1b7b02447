package io.kairo.governance.ledger;

import java.util.Objects;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor that counts and charges every command of a sandbox in {@link Budgets},
 * and refuses a command if the budget of its tenant has no room. A command that the
 * sandbox does not start is not counted. Safe for use by several threads.
 */
public final class BudgetInterceptor implements SandboxInterceptor {

	private final Budgets budgets;

	/** The tenant of the command that a thread is starting. */
	@SuppressWarnings("ThreadLocalUsage") // each interceptor has its own, removed at once
	private final ThreadLocal<@Nullable String> starting = new ThreadLocal<>();

	/**
	 * Creates the interceptor.
	 * @param budgets the budgets
	 */
	public BudgetInterceptor(Budgets budgets) {
		this.budgets = Objects.requireNonNull(budgets, "budgets");
	}

	@Override
	public SandboxHandle intercept(SandboxRequest request, Chain chain) {
		String tenant = request.tenant().tenantId();
		if (tenant.equals(this.starting.get())) {
			// a sandbox that delegates to another one
			return chain.proceed(request);
		}
		ReservedCommand command = this.budgets.reserve(tenant);
		String before = this.starting.get();
		this.starting.set(tenant);
		try {
			return new ChargedHandle(chain.proceed(request), command);
		}
		catch (RuntimeException | Error ex) {
			command.notStarted();
			throw ex;
		}
		finally {
			if (before != null) {
				this.starting.set(before);
			}
			else {
				this.starting.remove();
			}
		}
	}

}
