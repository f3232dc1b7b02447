package io.kairo.governance.ledger;

import java.time.Duration;
import java.time.LocalDate;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * A command that was counted, and is charged once. Safe for use by several threads.
 */
final class ReservedCommand {

	private final String tenant;

	private final LocalDate day;

	private final PendingCharges charges;

	private final AtomicBoolean charged = new AtomicBoolean();

	ReservedCommand(String tenant, LocalDate day, PendingCharges charges) {
		this.tenant = tenant;
		this.day = day;
		this.charges = charges;
	}

	/**
	 * Charges the command.
	 * @param cpuTime its CPU time, null if that was not measured
	 * @param outputBytes its bytes of output
	 */
	void ended(@Nullable Duration cpuTime, long outputBytes) {
		charge(UsageCharge.ended(this.tenant, this.day, cpuTime, outputBytes));
	}

	/**
	 * Gives the count of the command back.
	 */
	void notStarted() {
		charge(UsageCharge.notStarted(this.tenant, this.day));
	}

	private void charge(UsageCharge charge) {
		if (this.charged.compareAndSet(false, true)) {
			this.charges.add(charge);
		}
	}

}
