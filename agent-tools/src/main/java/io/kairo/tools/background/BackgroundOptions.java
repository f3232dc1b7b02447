package io.kairo.tools.background;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of commands in the background. Immutable.
 *
 * @param maxPerSession the maximum number of commands that a session runs at the same
 * time, above zero
 * @param maxPerTenant the maximum number of commands that the sessions of a tenant run at
 * the same time, above zero
 * @param maxEndedPerTenant the maximum number of commands of a tenant that have ended and
 * can still be read; the oldest are forgotten first; above zero
 * @param maxLifetime the maximum lifetime of a command, above zero
 */
public record BackgroundOptions(int maxPerSession, int maxPerTenant, int maxEndedPerTenant, Duration maxLifetime) {

	/**
	 * Creates the options.
	 * @throws IllegalArgumentException if a value is not above zero
	 */
	public BackgroundOptions {
		Objects.requireNonNull(maxLifetime, "maxLifetime");
		if (maxPerSession < 1 || maxPerTenant < 1 || maxEndedPerTenant < 1) {
			throw new IllegalArgumentException("maxPerSession is " + maxPerSession + ", maxPerTenant is " + maxPerTenant
					+ ", maxEndedPerTenant is " + maxEndedPerTenant + ": each must be above zero");
		}
		if (maxLifetime.isNegative() || maxLifetime.isZero()) {
			throw new IllegalArgumentException("maxLifetime is " + maxLifetime + ": it must be above zero");
		}
	}

	/**
	 * Returns the defaults: three commands at a time per session and per tenant, ten that
	 * have ended, and a lifetime of two hours. Three leave one of the default four
	 * concurrent commands of a tenant to the foreground.
	 * @return the defaults
	 */
	public static BackgroundOptions defaults() {
		return new BackgroundOptions(3, 3, 10, Duration.ofHours(2));
	}

}
