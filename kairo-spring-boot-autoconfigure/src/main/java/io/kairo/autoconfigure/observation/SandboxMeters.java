package io.kairo.autoconfigure.observation;

import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Counts the running commands as {@code kairo.sandbox.active}, and their output as
 * {@code kairo.sandbox.output}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SandboxMeters implements SandboxInterceptor {

	private final MeterRegistry registry;

	private final TenantTag tenantTag;

	private final ActiveGauges active;

	SandboxMeters(MeterRegistry registry, TenantTag tenantTag) {
		this.registry = registry;
		this.tenantTag = tenantTag;
		this.active = new ActiveGauges(registry, "kairo.sandbox.active", "Commands that run");
	}

	@Override
	public SandboxHandle intercept(SandboxRequest request, Chain chain) {
		Tags tags = Tags.of("backend", chain.capabilities(request.tenant()).backend(), "tenant",
				this.tenantTag.value(request.tenant()));
		CountedHandle handle = new CountedHandle(chain.proceed(request));
		AtomicInteger running = this.active.count(tags);
		running.incrementAndGet();
		Counter orphans = Counter.builder("kairo.sandbox.orphans")
			.description("Processes that were still running when their command ended, and were ended then")
			.tags(tags)
			.register(this.registry);
		handle.exit()
			.doOnTerminate(running::decrementAndGet)
			.subscribe((exit) -> orphans.increment(handle.leftoverProcesses()), (failure) -> {
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
