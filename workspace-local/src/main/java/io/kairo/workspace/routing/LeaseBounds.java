package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.Objects;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

/**
 * The bounds on the duration and number of leases. Immutable.
 *
 * @param idleTimeout duration without use after which the leases on a workspace end,
 * above zero; null for no timeout
 * @param maxPerTenant maximum number of open workspaces of a tenant, by its id; at least
 * 1
 * @param closeTimeout maximum time that closing waits for providers to release
 * workspaces, above zero
 * @since 0.1.0
 */
public record LeaseBounds(@Nullable Duration idleTimeout, ToIntFunction<String> maxPerTenant, Duration closeTimeout) {

	/**
	 * No idle timeout, no maximum, and 30 seconds to close.
	 */
	public static final LeaseBounds UNBOUNDED = new LeaseBounds(null, (tenant) -> Integer.MAX_VALUE,
			Duration.ofSeconds(30));

	/**
	 * Creates the value.
	 * @param idleTimeout duration without use after which leases end, may be null
	 * @param maxPerTenant maximum number of open workspaces of a tenant
	 * @param closeTimeout maximum time that closing waits
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
