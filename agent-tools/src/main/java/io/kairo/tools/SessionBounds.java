package io.kairo.tools;

import java.time.Duration;

/**
 * The limits on the sessions of an application. Immutable.
 *
 * @param idleTimeout the time without a call before a session ends, above zero
 * @param maxSessions the maximum number of sessions; beyond it, the least recently used
 * session of the tenants with the most sessions ends, so that a tenant never loses a
 * session to a tenant with more; sessions with a running call are not evicted
 */
public record SessionBounds(Duration idleTimeout, int maxSessions) {

	/**
	 * An hour, and ten thousand sessions.
	 */
	public static final SessionBounds DEFAULTS = new SessionBounds(Duration.ofHours(1), 10_000);

	/**
	 * Creates the value.
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
