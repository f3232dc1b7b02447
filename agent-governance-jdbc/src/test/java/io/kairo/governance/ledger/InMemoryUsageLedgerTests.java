package io.kairo.governance.ledger;

/**
 * Tests for {@link InMemoryUsageLedger}.
 */
class InMemoryUsageLedgerTests extends UsageLedgerContract {

	private final UsageLedger ledger = new InMemoryUsageLedger();

	@Override
	UsageLedger open() {
		return this.ledger;
	}

}
