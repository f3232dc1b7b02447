package io.kairo.governance.policy;

import java.time.Duration;

/**
 * The bounds of approvals. Immutable.
 *
 * @param timeout the time until a request expires, also the time that a call waits
 * @param pollInterval the time between two looks at the store, for answers given to
 * another instance
 * @param maxPending maximum number of open requests of a tenant, pending or approved
 * @param maxSessionGrant maximum time that further calls of a session are allowed; a
 * longer time is shortened
 */
public record ApprovalOptions(Duration timeout, Duration pollInterval, int maxPending, Duration maxSessionGrant) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if one of them is not positive
	 */
	public ApprovalOptions {
		requirePositive("timeout", timeout);
		requirePositive("pollInterval", pollInterval);
		requirePositive("maxSessionGrant", maxSessionGrant);
		if (maxPending < 1) {
			throw new IllegalArgumentException("maxPending is " + maxPending + ": it must be at least 1");
		}
	}

	private static void requirePositive(String name, Duration duration) {
		if (duration.isNegative() || duration.isZero()) {
			throw new IllegalArgumentException(name + " is " + duration + ": it must be positive");
		}
	}

	/**
	 * Returns the default bounds.
	 * @return 10 minutes, one second, 100 requests and 8 hours
	 */
	public static ApprovalOptions defaults() {
		return new ApprovalOptions(Duration.ofMinutes(10), Duration.ofSeconds(1), 100, Duration.ofHours(8));
	}

}
