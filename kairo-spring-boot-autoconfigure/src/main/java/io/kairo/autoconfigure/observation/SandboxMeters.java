package io.kairo.autoconfigure.observation;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Counts the commands that run as {@code kairo.sandbox.active}, and what they print as
 * {@code kairo.sandbox.output}.
 */
final class SandboxMeters implements SandboxAdvice {

	private final MeterRegistry registry;

	private final TenantTag tenantTag;

	private final Map<Tags, AtomicInteger> active = new ConcurrentHashMap<>();

	SandboxMeters(MeterRegistry registry, TenantTag tenantTag) {
		this.registry = registry;
		this.tenantTag = tenantTag;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		SandboxRequest request = SandboxAdvice.started(invocation);
		if (request == null || !(invocation.getThis() instanceof ExecutionSandbox sandbox)) {
			return invocation.proceed();
		}
		Tags tags = Tags.of("backend", sandbox.capabilities(request.tenant()).backend(), "tenant",
				this.tenantTag.value(request.tenant()));
		CountedHandle handle = new CountedHandle(
				Objects.requireNonNull((SandboxHandle) invocation.proceed(), "handle"));
		AtomicInteger running = this.active.computeIfAbsent(tags, this::gauge);
		running.incrementAndGet();
		handle.exit().doOnTerminate(running::decrementAndGet).subscribe((exit) -> {
		}, (failure) -> {
		});
		handle.whenClosed((exit, bytes) -> record(tags, exit, bytes));
		return handle;
	}

	private AtomicInteger gauge(Tags tags) {
		AtomicInteger running = new AtomicInteger();
		Gauge.builder("kairo.sandbox.active", running, AtomicInteger::get)
			.description("Commands that run")
			.tags(tags)
			.register(this.registry);
		return running;
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
