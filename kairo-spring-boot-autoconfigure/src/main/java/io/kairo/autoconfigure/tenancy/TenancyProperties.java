package io.kairo.autoconfigure.tenancy;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Who agents work for, and how much each of them may do.
 *
 * @param defaultTenant the tenant of whoever has no other: nothing is bound and nobody is
 * authenticated.
 * @param required whether to refuse whoever has no tenant, instead of using the default
 * one. By default true where Spring Security is on the class path and the primary root
 * has the segment {tenant}, else false.
 * @param limits limits by tenant; the entry default holds for everybody who has none, and
 * for what an entry leaves out.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.tenancy", ignoreUnknownFields = false)
public record TenancyProperties(@Name("default") @DefaultValue("default") String defaultTenant,
		@Nullable Boolean required, @DefaultValue Map<String, TenantLimitProperties> limits) {

	private static final String EVERYBODY = "default";

	private static final int MAX_WORKSPACES = 1000;

	/**
	 * Creates the value.
	 * @param defaultTenant the tenant of whoever has no other
	 * @param required whether to refuse whoever has no tenant, null for the default
	 * @param limits limits by tenant
	 */
	public TenancyProperties {
		if (defaultTenant.isBlank()) {
			throw new InvalidConfigurationPropertyValueException("kairo.tenancy.default", defaultTenant,
					"it must not be blank");
		}
		limits = Map.copyOf(limits);
	}

	/**
	 * Returns how many workspaces a tenant may have open at the same time.
	 * @param tenantId the id of the tenant
	 * @return what its own limits say, else those of everybody, else 1000
	 */
	public int maxWorkspaces(String tenantId) {
		for (String name : new String[] { tenantId, EVERYBODY }) {
			TenantLimitProperties entry = this.limits.get(name);
			if (entry != null && entry.workspaces() != null) {
				return entry.workspaces();
			}
		}
		return MAX_WORKSPACES;
	}

}
