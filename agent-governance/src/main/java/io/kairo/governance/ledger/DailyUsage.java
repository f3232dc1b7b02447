package io.kairo.governance.ledger;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Objects;

/**
 * The usage of a tenant on a day. Immutable.
 *
 * @param tenant the id of the tenant
 * @param day the day
 * @param executions the number of commands
 * @param unmeasured the number of commands among them that have ended without a
 * measurement of their CPU time
 * @param cpuTime the CPU time of the commands that have ended
 * @param outputBytes the bytes of output of the commands that have ended
 */
public record DailyUsage(String tenant, LocalDate day, long executions, long unmeasured, Duration cpuTime,
		long outputBytes) {

	/**
	 * Creates the value.
	 */
	public DailyUsage {
		Objects.requireNonNull(tenant, "tenant");
		Objects.requireNonNull(day, "day");
		Objects.requireNonNull(cpuTime, "cpuTime");
	}

	/**
	 * Returns the usage of a tenant without commands.
	 * @param tenant the id of the tenant
	 * @param day the day
	 * @return the usage
	 */
	public static DailyUsage none(String tenant, LocalDate day) {
		return new DailyUsage(tenant, day, 0, 0, Duration.ZERO, 0);
	}

	/**
	 * Returns this usage after a charge.
	 */
	DailyUsage plus(UsageCharge charge) {
		return new DailyUsage(this.tenant, this.day, this.executions - charge.refunds(),
				this.unmeasured + charge.unmeasured(), this.cpuTime.plus(charge.cpuTime()),
				this.outputBytes + charge.outputBytes());
	}

}
