package io.kairo.autoconfigure.endpoint;

import java.util.List;

import io.kairo.tools.LimitsInterceptor;
import io.kairo.tools.TenantUsage;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * Shows what tenants use of their limits.
 *
 * @since 0.1.0
 */
@Endpoint(id = "kairotenants", defaultAccess = Access.READ_ONLY)
public class TenantsEndpoint {

	private final LimitsInterceptor limits;

	TenantsEndpoint(LimitsInterceptor limits) {
		this.limits = limits;
	}

	/**
	 * Returns the tenants that did something lately.
	 * @return the tenants in the order of their ids
	 */
	@ReadOperation
	public Tenants tenants() {
		return new Tenants(this.limits.usage());
	}

	/**
	 * The tenants.
	 *
	 * @param tenants the tenants
	 */
	public record Tenants(List<TenantUsage> tenants) {

	}

}
