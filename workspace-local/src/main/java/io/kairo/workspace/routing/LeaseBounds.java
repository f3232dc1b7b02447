package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.Objects;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

/**
 * How long and how many workspaces may be leased. Immutable.
 *
 * @param idleTimeout after how long without a use a workspace is taken back from those
 * who acquired it and did not release it, above zero; null for never
 * @param maxPerTenant how many workspaces a tenant may have open, by its id; at least 1
 * @param closeTimeout how long closing waits for providers to take workspaces back, above
 * zero
 * @since 0.1.0
 */
public record LeaseBounds(@Nullable Duration idleTimeout, ToIntFunction<String> maxPerTenant, Duration closeTimeout) {

	/**
	 * Never taken back, as many as wanted, half a minute to close.
	 */
	public static final LeaseBounds UNBOUNDED = new LeaseBounds(null, (tenant) -> Integer.MAX_VALUE,
			Duration.ofSeconds(30));

	/**
	 * Creates the value.
	 * @param idleTimeout after how long without a use a workspace is taken back, may be
	 * null
	 * @param maxPerTenant how many workspaces a tenant may have open
	 * @param closeTimeout how long closing waits
	 * @throws IllegalArgumentException if a duration is not above zero
	 */
	public LeaseBounds {
		Objects.requireNonNull(maxPerTenant, "maxPerTenant");
		if (idleTimeout != null && (idleTimeout.isNegative() || idleTimeout.isZero())) {
			throw new IllegalArgumentException(
					"idleTimeout is " + idleTimeout + ": it must be above zero, or null for never");
		}
		if (closeTimeout.isNegative() || closeTimeout.isZero()) {
			throw new IllegalArgumentException("closeTimeout is " + closeTimeout + ": it must be above zero");
		}
	}

}
