package io.kairo.tools.output;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of an {@link OutputStore}. Immutable.
 *
 * @param maxBytesPerSession the maximum number of bytes that a session keeps; its oldest
 * outputs are removed first; above zero
 * @param maxBytesPerTenant the maximum number of bytes that all sessions of a tenant
 * keep; the rest of an output beyond the limit is dropped; above zero
 * @param maxOutputsPerSession the maximum number of outputs that a session keeps; its
 * oldest are removed first; above zero
 * @param maxAge the maximum age of an output before it is removed, above zero
 */
public record OutputOptions(long maxBytesPerSession, long maxBytesPerTenant, int maxOutputsPerSession,
		Duration maxAge) {

	/**
	 * Creates the options.
	 * @throws IllegalArgumentException if a value is not above zero
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
	 * Returns the defaults: 64 MiB and 50 outputs per session, 256 MiB per tenant, and a
	 * maximum age of one hour.
	 * @return the defaults
	 */
	public static OutputOptions defaults() {
		return new OutputOptions(64L << 20, 256L << 20, 50, Duration.ofHours(1));
	}

}
