package io.kairo.autoconfigure.limits;

import java.util.Map;
import java.util.function.Function;

import io.kairo.autoconfigure.tenancy.TenantLimitProperties;
import io.kairo.tools.limits.TenantLimits;
import org.jspecify.annotations.Nullable;

/**
 * The limits of each tenant: its own, or else the default limits.
 */
final class TenantLimitsTable {

	private static final String DEFAULT_ENTRY = "default";

	private final Map<String, TenantLimitProperties> properties;

	TenantLimitsTable(Map<String, TenantLimitProperties> properties) {
		this.properties = properties;
	}

	TenantLimits of(String tenant) {
		return new TenantLimits(
				limit(tenant, TenantLimitProperties::concurrentExecutions,
						TenantLimits.DEFAULTS.concurrentExecutions()),
				limit(tenant, TenantLimitProperties::executionsPerMinute, TenantLimits.DEFAULTS.executionsPerMinute()),
				limit(tenant, TenantLimitProperties::callsPerMinute, TenantLimits.DEFAULTS.callsPerMinute()),
				limit(tenant, TenantLimitProperties::concurrentCalls, TenantLimits.DEFAULTS.concurrentCalls()));
	}

	private int limit(String tenant, Function<TenantLimitProperties, @Nullable Integer> property, int fallback) {
		for (String name : new String[] { tenant, DEFAULT_ENTRY }) {
			TenantLimitProperties entry = this.properties.get(name);
			Integer value = (entry != null) ? property.apply(entry) : null;
			if (value != null) {
				return value;
			}
		}
		return fallback;
	}

}
