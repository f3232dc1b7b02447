package io.kairo.autoconfigure.observation;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Observes every command of a sandbox as {@code kairo.sandbox.executions}, from its start
 * to its exit.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SandboxObservationInterceptor implements SandboxInterceptor {

	private final ObservationRegistry registry;

	private final TenantTag tenantTag;

	SandboxObservationInterceptor(ObservationRegistry registry, TenantTag tenantTag) {
		this.registry = registry;
		this.tenantTag = tenantTag;
	}

	@Override
	public SandboxHandle intercept(SandboxRequest request, Chain chain) {
		Observation observation = Observation.createNotStarted("kairo.sandbox.executions", this.registry)
			.contextualName("command")
			.lowCardinalityKeyValue("backend", chain.capabilities(request.tenant()).backend())
			.lowCardinalityKeyValue("tenant", this.tenantTag.value(request.tenant()))
			.start();
		try {
			SandboxHandle handle = chain.proceed(request);
			handle.exit().subscribe((exit) -> stop(observation, ExecutionOutcome.of(exit)), (failure) -> {
				observation.error(failure);
				stop(observation, "failed");
			});
			return handle;
		}
		catch (Throwable ex) {
			observation.error(ex);
			stop(observation, ExecutionOutcome.REJECTED);
			throw ex;
		}
	}

	private static void stop(Observation observation, String outcome) {
		observation.lowCardinalityKeyValue("outcome", outcome);
		observation.stop();
	}

}
