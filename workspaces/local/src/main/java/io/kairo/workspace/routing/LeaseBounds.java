package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.Objects;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

/**
 * Limits for the leases of workspaces. Immutable.
 *
 * @param idleTimeout the idle timeout of a lease, above zero; null for none
 * @param maxPerTenant the maximum number of open workspaces of a tenant, by its id; at
 * least 1
 * @param closeTimeout the maximum time to wait for providers to release workspaces on
 * close, above zero
 */
public record LeaseBounds(@Nullable Duration idleTimeout, ToIntFunction<String> maxPerTenant, Duration closeTimeout) {

	/**
	 * No idle timeout, an unlimited number of workspaces, and a close timeout of 30
	 * seconds.
	 */
	public static final LeaseBounds UNBOUNDED = new LeaseBounds(null, (tenant) -> Integer.MAX_VALUE,
			Duration.ofSeconds(30));

	/**
	 * Creates and validates the limits.
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
