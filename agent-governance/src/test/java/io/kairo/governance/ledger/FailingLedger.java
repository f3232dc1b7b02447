package io.kairo.governance.ledger;

import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * A ledger in memory that can fail.
 */
final class FailingLedger implements UsageLedger {

	private final UsageLedger delegate = new InMemoryUsageLedger();

	private volatile boolean failing;

	private volatile Callable<?> beforeCharge = () -> null;

	/**
	 * Sets what happens before charges are added.
	 */
	void beforeCharge(Callable<?> beforeCharge) {
		this.beforeCharge = beforeCharge;
	}

	void failing(boolean failing) {
		this.failing = failing;
	}

	private UsageLedger delegate() {
		if (this.failing) {
			throw new UsageLedgerException("secret-host:5432 does not answer", null);
		}
		return this.delegate;
	}

	@Override
	public Reservation reserve(String tenant, LocalDate day, Budget budget) {
		return delegate().reserve(tenant, day, budget);
	}

	@Override
	public void charge(String id, List<UsageCharge> charges) {
		try {
			this.beforeCharge.call();
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		delegate().charge(id, charges);
	}

	@Override
	public List<DailyUsage> usage(String tenant, LocalDate from) {
		return delegate().usage(tenant, from);
	}

	@Override
	public List<DailyUsage> latest(LocalDate from) {
		return delegate().latest(from);
	}

	@Override
	public void removeBefore(LocalDate day) {
		delegate().removeBefore(day);
	}

}
