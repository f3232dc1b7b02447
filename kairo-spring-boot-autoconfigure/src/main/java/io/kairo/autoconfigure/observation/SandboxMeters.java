package io.kairo.autoconfigure.observation;

import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/**
 * Counts the commands that run as {@code kairo.sandbox.active}, and what they print as
 * {@code kairo.sandbox.output}.
 */
final class SandboxMeters extends SandboxAdvice {

	private final MeterRegistry registry;

	private final TenantTag tenantTag;

	private final ActiveGauges active;

	SandboxMeters(MeterRegistry registry, TenantTag tenantTag) {
		this.registry = registry;
		this.tenantTag = tenantTag;
		this.active = new ActiveGauges(registry, "kairo.sandbox.active", "Commands that run");
	}

	@Override
	SandboxHandle start(Start start) throws Throwable {
		Tags tags = Tags.of("backend", start.backend(), "tenant", this.tenantTag.value(start.request().tenant()));
		CountedHandle handle = new CountedHandle(start.proceed());
		AtomicInteger running = this.active.count(tags);
		running.incrementAndGet();
		handle.exit().doOnTerminate(running::decrementAndGet).subscribe((exit) -> {
		}, (failure) -> {
		});
		handle.whenClosed((exit, bytes) -> record(tags, exit, bytes));
		return handle;
	}

	private void record(Tags tags, SandboxExit exit, long bytes) {
		DistributionSummary.builder("kairo.sandbox.output")
			.description("What a command printed, as far as it was read, and what was discarded")
			.baseUnit("bytes")
			.tags(tags.and("truncated", String.valueOf(exit.truncated())))
			.register(this.registry)
			.record((double) bytes);
	}

}
