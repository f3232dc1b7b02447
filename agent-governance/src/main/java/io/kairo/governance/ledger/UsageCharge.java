package io.kairo.governance.ledger;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The usage of commands that have ended, or were not started, to be added to the day of
 * their reservation. Immutable.
 *
 * @param tenant the id of the tenant
 * @param day the day of the reservation
 * @param refunds the number of reserved commands that were not started
 * @param unmeasured the number of commands without a measurement of their CPU time
 * @param cpuTime the CPU time of the other commands
 * @param outputBytes the bytes of output
 */
public record UsageCharge(String tenant, LocalDate day, long refunds, long unmeasured, Duration cpuTime,
		long outputBytes) {

	/** An amount that no command reaches, so that the sum of many stays within a long. */
	private static final Duration MAX_CPU_TIME = Duration.ofDays(3650);

	private static final long MAX_OUTPUT = 1L << 50;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if an amount is negative
	 */
	public UsageCharge {
		Objects.requireNonNull(tenant, "tenant");
		Objects.requireNonNull(day, "day");
		if (refunds < 0 || unmeasured < 0 || cpuTime.isNegative() || outputBytes < 0) {
			throw new IllegalArgumentException("refunds is " + refunds + ", unmeasured is " + unmeasured
					+ ", cpuTime is " + cpuTime + ", outputBytes is " + outputBytes + ": none must be negative");
		}
	}

	/**
	 * Returns the charge of a command that has ended.
	 * @param tenant the id of the tenant
	 * @param day the day of its reservation
	 * @param cpuTime its CPU time, null if that was not measured
	 * @param outputBytes its bytes of output
	 * @return the charge
	 */
	public static UsageCharge ended(String tenant, LocalDate day, @Nullable Duration cpuTime, long outputBytes) {
		Duration time = (cpuTime != null && !cpuTime.isNegative()) ? cpuTime : Duration.ZERO;
		return new UsageCharge(tenant, day, 0, (cpuTime != null) ? 0 : 1,
				(time.compareTo(MAX_CPU_TIME) < 0) ? time : MAX_CPU_TIME,
				Math.max(0, Math.min(outputBytes, MAX_OUTPUT)));
	}

	/**
	 * Returns the charge of a reserved command that was not started.
	 * @param tenant the id of the tenant
	 * @param day the day of its reservation
	 * @return the charge
	 */
	public static UsageCharge notStarted(String tenant, LocalDate day) {
		return new UsageCharge(tenant, day, 1, 0, Duration.ZERO, 0);
	}

	/**
	 * Returns the sum with another charge of the same tenant and day.
	 */
	UsageCharge plus(UsageCharge other) {
		return new UsageCharge(this.tenant, this.day, this.refunds + other.refunds, this.unmeasured + other.unmeasured,
				this.cpuTime.plus(other.cpuTime), this.outputBytes + other.outputBytes);
	}

}
