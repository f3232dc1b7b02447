package io.kairo.tools.output;

import java.time.Duration;
import java.util.Objects;

/**
 * The bounds of an {@link OutputStore}. Immutable.
 *
 * @param maxBytesPerSession how many bytes a session keeps; its oldest outputs go first
 * @param maxBytesPerTenant how many bytes the sessions of a tenant keep together; beyond
 * that the rest of an output is not kept
 * @param maxOutputsPerSession how many outputs a session keeps; its oldest go first
 * @param maxAge how long an output is kept
 * @since 0.1.0
 */
public record OutputOptions(long maxBytesPerSession, long maxBytesPerTenant, int maxOutputsPerSession,
		Duration maxAge) {

	/**
	 * Creates the value.
	 * @param maxBytesPerSession a number of bytes above zero
	 * @param maxBytesPerTenant a number of bytes above zero
	 * @param maxOutputsPerSession a number above zero
	 * @param maxAge above zero
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public OutputOptions {
		Objects.requireNonNull(maxAge, "maxAge");
		if (maxBytesPerSession <= 0) {
			throw new IllegalArgumentException(
					"maxBytesPerSession is " + maxBytesPerSession + ": it must be above zero");
		}
		if (maxBytesPerTenant <= 0) {
			throw new IllegalArgumentException("maxBytesPerTenant is " + maxBytesPerTenant + ": it must be above zero");
		}
		if (maxOutputsPerSession <= 0) {
			throw new IllegalArgumentException(
					"maxOutputsPerSession is " + maxOutputsPerSession + ": it must be above zero");
		}
		if (maxAge.isNegative() || maxAge.isZero()) {
			throw new IllegalArgumentException("maxAge is " + maxAge + ": it must be above zero");
		}
	}

	/**
	 * Returns the defaults: 64 MiB and 50 outputs a session, 256 MiB a tenant, one hour.
	 * @return the defaults
	 */
	public static OutputOptions defaults() {
		return new OutputOptions(64L << 20, 256L << 20, 50, Duration.ofHours(1));
	}

}
