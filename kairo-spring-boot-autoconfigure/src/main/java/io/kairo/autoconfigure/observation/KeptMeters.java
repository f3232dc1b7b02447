package io.kairo.autoconfigure.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.tenant.TenantContext;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Publishes the used share of what is kept for tenants, as caches of commands are, as
 * {@code kairo.tenant.limit}. Of the tenants that share a tag, the largest share counts.
 */
final class KeptMeters {

	private final LimitGauges gauges;

	private final TenantTag tenantTag;

	private final String limit;

	/** By tag, then by id of the tenant. */
	private final Map<String, Map<String, Double>> shares = new ConcurrentHashMap<>();

	KeptMeters(MeterRegistry registry, TenantTag tenantTag, String limit) {
		this.limit = limit;
		this.gauges = new LimitGauges(registry);
		this.tenantTag = tenantTag;
	}

	void measured(TenantContext tenant, long bytes, long maxBytes) {
		Map<String, Double> known = this.shares.computeIfAbsent(this.tenantTag.value(tenant), this::register);
		if (bytes > 0) {
			known.put(tenant.tenantId(), (double) bytes / maxBytes);
		}
		else {
			known.remove(tenant.tenantId());
		}
	}

	private Map<String, Double> register(String tag) {
		Map<String, Double> known = new ConcurrentHashMap<>();
		this.gauges.register(tag, this.limit, known,
				(tenants) -> tenants.values().stream().mapToDouble(Double::doubleValue).max().orElse(0));
		return known;
	}

}
