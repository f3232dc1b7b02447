package io.kairo.governance.ledger;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The budget of a tenant for a day. Immutable.
 *
 * @param executions the maximum number of commands, at least 1; null for any number
 * @param cpuTime the CPU time at which no further command is started, positive; null for
 * none
 * @param outputBytes the bytes of output at which no further command is started, at least
 * 1; null for none
 */
public record Budget(@Nullable Long executions, @Nullable Duration cpuTime, @Nullable Long outputBytes) {

	/**
	 * The budget that is never used up.
	 */
	public static final Budget UNLIMITED = new Budget(null, null, null);

	/** About the largest number of nanoseconds in a long. */
	private static final Duration MAX_CPU_TIME = Duration.ofDays(100_000);

	/** Name of the limit of commands. */
	static final String EXECUTIONS = "executions-per-day";

	/** Name of the limit of CPU time. */
	static final String CPU_TIME = "cpu-time-per-day";

	/** Name of the limit of output. */
	static final String OUTPUT = "output-per-day";

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if one of them is not positive, or the time is
	 * longer than 100,000 days
	 */
	public Budget {
		requirePositive("executions", executions, executions == null || executions > 0);
		requirePositive("cpuTime", cpuTime, cpuTime == null || cpuTime.compareTo(Duration.ZERO) > 0);
		if (cpuTime != null && cpuTime.compareTo(MAX_CPU_TIME) > 0) {
			throw new IllegalArgumentException("cpuTime is " + cpuTime + ": it must be at most " + MAX_CPU_TIME);
		}
		requirePositive("outputBytes", outputBytes, outputBytes == null || outputBytes > 0);
	}

	private static void requirePositive(String name, @Nullable Object value, boolean positive) {
		if (!positive) {
			throw new IllegalArgumentException(name + " is " + value + ": it must be positive");
		}
	}

	/**
	 * Returns whether a usage leaves room for a further command.
	 * @param usage the usage of a day
	 * @return whether every amount is below its maximum
	 */
	public boolean allows(DailyUsage usage) {
		return exhausted(usage) == null;
	}

	/**
	 * Returns the name of the first limit that a usage has reached.
	 */
	@Nullable String exhausted(DailyUsage usage) {
		if (this.executions != null && usage.executions() >= this.executions) {
			return EXECUTIONS;
		}
		if (this.cpuTime != null && usage.cpuTime().compareTo(this.cpuTime) >= 0) {
			return CPU_TIME;
		}
		return (this.outputBytes != null && usage.outputBytes() >= this.outputBytes) ? OUTPUT : null;
	}

	/**
	 * Returns the value of a limit, in commands, seconds or bytes.
	 */
	long maximum(String limit) {
		return switch (limit) {
			case CPU_TIME -> (this.cpuTime != null) ? this.cpuTime.plusNanos(999_999_999).toSeconds() : 0;
			case OUTPUT -> (this.outputBytes != null) ? this.outputBytes : 0;
			default -> (this.executions != null) ? this.executions : 0;
		};
	}

}
