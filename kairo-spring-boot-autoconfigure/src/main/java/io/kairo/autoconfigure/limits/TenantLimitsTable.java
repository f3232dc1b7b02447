package io.kairo.autoconfigure.limits;

import java.util.Map;
import java.util.Objects;

import io.kairo.autoconfigure.tenancy.TenantLimitProperties;
import io.kairo.tools.limits.TenantLimits;
import org.jspecify.annotations.Nullable;

/**
 * The limits of each tenant: its own, or else the default limits.
 */
final class TenantLimitsTable {

	private static final String DEFAULT_ENTRY = "default";

	private static final TenantLimitProperties NOT_SET = new TenantLimitProperties(null, null, null, null, null, null);

	private final Map<String, TenantLimitProperties> properties;

	TenantLimitsTable(Map<String, TenantLimitProperties> properties) {
		this.properties = properties;
	}

	TenantLimits of(String tenant) {
		TenantLimitProperties own = this.properties.getOrDefault(tenant, NOT_SET);
		TenantLimitProperties common = this.properties.getOrDefault(DEFAULT_ENTRY, NOT_SET);
		TenantLimits defaults = TenantLimits.DEFAULTS;
		return new TenantLimits(
				first(own.concurrentExecutions(), common.concurrentExecutions(), defaults.concurrentExecutions()),
				first(own.executionsPerMinute(), common.executionsPerMinute(), defaults.executionsPerMinute()),
				first(own.callsPerMinute(), common.callsPerMinute(), defaults.callsPerMinute()),
				first(own.concurrentCalls(), common.concurrentCalls(), defaults.concurrentCalls()),
				first(own.executionWaitTimeout(), common.executionWaitTimeout(), defaults.executionWaitTimeout()));
	}

	private static <T> T first(@Nullable T own, @Nullable T common, T fallback) {
		return (own != null) ? own : Objects.requireNonNullElse(common, fallback);
	}

}
