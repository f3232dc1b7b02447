package io.kairo.autoconfigure.tenancy;

import java.util.Map;

import io.kairo.boot.PropertyBounds;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties for tenants and their limits.
 *
 * @param defaultTenant Tenant of callers for whom no tenant is bound and no principal is
 * authenticated.
 * @param required Whether to reject callers without a tenant instead of using the default
 * tenant. By default, true if Spring Security is on the class path and the primary root
 * has the segment {tenant} or the application is reactive, otherwise false.
 * @param limits Limits by tenant id. The entry default applies to tenants without an
 * entry, and to limits that an entry does not set.
 */
@ConfigurationProperties("kairo.tenancy")
public record TenancyProperties(@Name("default") @DefaultValue("default") String defaultTenant,
		@Nullable Boolean required, @DefaultValue Map<String, TenantLimitProperties> limits) {

	private static final String DEFAULT_ENTRY = "default";

	private static final int MAX_WORKSPACES = 1000;

	/**
	 * Creates and validates the properties.
	 */
	public TenancyProperties {
		if (defaultTenant.isBlank()) {
			throw new InvalidConfigurationPropertyValueException("kairo.tenancy.default", defaultTenant,
					"it must not be blank");
		}
		limits = Map.copyOf(limits);
		limits.forEach((tenant, limit) -> limit.check(PropertyBounds.ofEntry("kairo.tenancy.limits", tenant)));
	}

	/**
	 * Returns the maximum number of workspaces that a tenant can have open at the same
	 * time.
	 * @param tenantId the id of the tenant
	 * @return the limit of the tenant, or else the default limit, or else 1000
	 */
	public int maxWorkspaces(String tenantId) {
		for (String name : new String[] { tenantId, DEFAULT_ENTRY }) {
			TenantLimitProperties entry = this.limits.get(name);
			if (entry != null && entry.workspaces() != null) {
				return entry.workspaces();
			}
		}
		return MAX_WORKSPACES;
	}

}
