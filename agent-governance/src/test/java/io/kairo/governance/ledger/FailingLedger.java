package io.kairo.governance.ledger;

import java.time.LocalDate;
import java.util.List;

/**
 * A ledger in memory that can fail.
 */
final class FailingLedger implements UsageLedger {

	private final UsageLedger delegate = new InMemoryUsageLedger();

	private volatile boolean failing;

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
