package io.kairo.autoconfigure.observation;

import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The gauges {@code kairo.tenant.limit}, one for each limit of a tenant.
 *
 * @param registry the registry of the gauges
 */
record LimitGauges(MeterRegistry registry) {

	/**
	 * Registers a gauge.
	 * @param tenant the value of the tag tenant
	 * @param limit the name of the limit
	 * @param source the source of the share, referenced weakly
	 * @param share the used share of the limit
	 */
	<T> void register(String tenant, String limit, T source, ToDoubleFunction<T> share) {
		Gauge.builder("kairo.tenant.limit", source, share)
			.description("The used share of a limit, from 0 to 1")
			.tags("limit", limit, "tenant", tenant)
			.register(this.registry);
	}

}
