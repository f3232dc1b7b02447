package io.kairo.governance.ledger;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxLimitException;
import io.kairo.tools.text.Phrase;

/**
 * The budgets of tenants. A command is counted before it is started; its CPU time and its
 * output are charged when it has ended, so that a started command may exceed these, and
 * the next one is refused. Charges are written in the background. While the ledger fails,
 * they are kept, and no command is started.
 * <p>
 * A day does not come again when the clock is set back. Safe for use by several threads.
 */
public final class Budgets implements AutoCloseable {

	private static final Logger logger = System.getLogger(Budgets.class.getName());

	private final UsageLedger ledger;

	private final Function<String, Budget> budgets;

	private final BudgetOptions options;

	private final DayClock clock;

	private final PendingCharges charges;

	/** The day of the last removal of old usage; guarded by this. */
	private LocalDate swept = LocalDate.MIN;

	/**
	 * Creates the budgets.
	 * @param ledger the ledger, not closed with this object
	 * @param budgets returns the budget of a tenant by its id
	 * @param options the settings
	 * @param clock the clock
	 */
	public Budgets(UsageLedger ledger, Function<String, Budget> budgets, BudgetOptions options, Clock clock) {
		this(ledger, budgets, options, clock, System::nanoTime);
	}

	Budgets(UsageLedger ledger, Function<String, Budget> budgets, BudgetOptions options, Clock clock,
			LongSupplier nanoTime) {
		this.ledger = Objects.requireNonNull(ledger, "ledger");
		this.budgets = Objects.requireNonNull(budgets, "budgets");
		this.options = Objects.requireNonNull(options, "options");
		this.clock = new DayClock(clock, options.zone(), nanoTime);
		this.charges = new PendingCharges(ledger, options.maxPending());
	}

	/**
	 * Counts a command that is about to start.
	 * @param tenant the id of the tenant
	 * @return the command; the caller must report its end
	 * @throws SandboxLimitException if the budget of the day is used up
	 * @throws SandboxException if the usage cannot be read or written
	 */
	ReservedCommand reserve(String tenant) {
		Budget budget = this.budgets.apply(tenant);
		if (!this.charges.takePlace()) {
			throw unavailable(new UsageLedgerException(
					"There are " + this.options.maxPending() + " commands that are not charged yet", null));
		}
		boolean counted = false;
		try {
			LocalDate today = this.clock.today();
			Reservation reservation = reserve(tenant, today, budget);
			if (reservation.exhausted() != null) {
				throw exceeded(budget, reservation.exhausted());
			}
			counted = true;
			sweep(today);
			return new ReservedCommand(tenant, reservation.day(), this.charges);
		}
		finally {
			if (!counted) {
				this.charges.freePlace();
			}
		}
	}

	private Reservation reserve(String tenant, LocalDate today, Budget budget) {
		try {
			this.charges.flush();
			return this.ledger.reserve(tenant, today, budget);
		}
		catch (RuntimeException ex) {
			throw unavailable(ex);
		}
	}

	private static SandboxException unavailable(RuntimeException ex) {
		return new SandboxException(SandboxErrorCode.BUDGET_UNAVAILABLE,
				"The command was not started, since the budget of its tenant cannot be checked",
				"try again later; the operator has to make the ledger of usage available", ex);
	}

	private SandboxLimitException exceeded(Budget budget, DailyUsage usage) {
		String limit = Objects.requireNonNullElse(budget.exhausted(usage), Budget.EXECUTIONS);
		Duration retryAfter = this.clock.untilEnd(usage.day());
		long maximum = budget.maximum(limit);
		String problem = switch (limit) {
			case Budget.CPU_TIME -> Phrase.of("The %,d s of CPU time of a day are used up", maximum);
			case Budget.OUTPUT -> "The "
					+ Phrase.count(maximum, "byte of output of a day is", "bytes of output of a day are") + " used up";
			default -> "The " + Phrase.count(maximum, "command of a day is", "commands of a day are") + " used up";
		};
		return new SandboxLimitException(SandboxErrorCode.BUDGET_EXCEEDED, problem,
				Phrase.of("try again in %,d s, when the next day begins", retryAfter.plusMillis(999).toSeconds()),
				limit, maximum, retryAfter);
	}

	/**
	 * Removes the usage of days long ago, once a day.
	 */
	private void sweep(LocalDate today) {
		if (isFirstOf(today)) {
			try {
				this.ledger.removeBefore(today.minusDays(this.options.retention() - 1L));
			}
			catch (RuntimeException ex) {
				logger.log(Level.WARNING, "The usage of days long ago cannot be removed", ex);
			}
		}
	}

	private synchronized boolean isFirstOf(LocalDate today) {
		boolean first = this.swept.isBefore(today);
		this.swept = first ? today : this.swept;
		return first;
	}

	/**
	 * Returns the settings.
	 * @return the settings
	 */
	public BudgetOptions options() {
		return this.options;
	}

	/**
	 * Returns the number of commands that have ended and are not charged yet.
	 * @return the number
	 */
	public int pendingCharges() {
		return this.charges.size();
	}

	/**
	 * Returns the usage of a tenant on the current day.
	 * @param tenant the id of the tenant
	 * @return the usage and the budget
	 * @throws UsageLedgerException if the usage cannot be read
	 */
	public BudgetStatus status(String tenant) {
		LocalDate today = this.clock.today();
		return status(
				this.ledger.usage(tenant, today).stream().findFirst().orElseGet(() -> DailyUsage.none(tenant, today)));
	}

	/**
	 * Returns the usage of all tenants that have one on the current day.
	 * @return the usages and the budgets, in the order of the tenants
	 * @throws UsageLedgerException if the usage cannot be read
	 */
	public List<BudgetStatus> statuses() {
		return this.ledger.latest(this.clock.today()).stream().map(this::status).toList();
	}

	private BudgetStatus status(DailyUsage usage) {
		return new BudgetStatus(usage, this.budgets.apply(usage.tenant()), this.clock.end(usage.day()));
	}

	/**
	 * Returns the usage of a tenant on the last days.
	 * @param tenant the id of the tenant
	 * @return the usage of each day that has one and is kept, the latest first
	 * @throws UsageLedgerException if the usage cannot be read
	 */
	public List<DailyUsage> history(String tenant) {
		return this.ledger.usage(tenant, this.clock.today().minusDays(this.options.retention() - 1L));
	}

	/**
	 * Writes the charges that are left, for some seconds at most.
	 */
	@Override
	public void close() {
		this.charges.close();
	}

}
