package io.kairo.tools;

import java.time.Duration;

/**
 * How long and how many sessions are kept. Immutable.
 *
 * @param idleTimeout after how long without a call a session ends, above zero
 * @param maxSessions how many are kept; beyond it the one that is idle for longest ends,
 * among those of the tenants with the most, so that nobody loses one to a tenant that has
 * more; one with a call that runs does not end
 * @since 0.1.0
 */
public record SessionBounds(Duration idleTimeout, int maxSessions) {

	/**
	 * An hour, and ten thousand sessions.
	 */
	public static final SessionBounds DEFAULTS = new SessionBounds(Duration.ofHours(1), 10_000);

	/**
	 * Creates the value.
	 * @param idleTimeout after how long without a call a session ends
	 * @param maxSessions how many are kept
	 * @throws IllegalArgumentException if one of them is not above zero
	 */
	public SessionBounds {
		if (idleTimeout.isNegative() || idleTimeout.isZero()) {
			throw new IllegalArgumentException("idleTimeout is " + idleTimeout + ": it must be above zero");
		}
		if (maxSessions < 1) {
			throw new IllegalArgumentException("maxSessions is " + maxSessions + ": it must be at least 1");
		}
	}

}
