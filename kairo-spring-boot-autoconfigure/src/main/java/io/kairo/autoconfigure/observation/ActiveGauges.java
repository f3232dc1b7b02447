package io.kairo.autoconfigure.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/**
 * Gauges for the number of active objects, one for each set of tags. Safe for use by
 * several threads.
 */
final class ActiveGauges {

	private final MeterRegistry registry;

	private final String name;

	private final String description;

	private final Map<Tags, AtomicInteger> counts = new ConcurrentHashMap<>();

	ActiveGauges(MeterRegistry registry, String name, String description) {
		this.registry = registry;
		this.name = name;
		this.description = description;
	}

	/**
	 * Returns the count of a gauge, registering the gauge on first use.
	 */
	AtomicInteger count(Tags tags) {
		return this.counts.computeIfAbsent(tags, this::register);
	}

	private AtomicInteger register(Tags tags) {
		AtomicInteger count = new AtomicInteger();
		Gauge.builder(this.name, count, AtomicInteger::get)
			.description(this.description)
			.tags(tags)
			.register(this.registry);
		return count;
	}

}
