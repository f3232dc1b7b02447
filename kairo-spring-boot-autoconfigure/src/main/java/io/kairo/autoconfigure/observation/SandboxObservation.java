package io.kairo.autoconfigure.observation;

import io.kairo.api.sandbox.SandboxHandle;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Observes every command of a sandbox as {@code kairo.sandbox.executions}, from its start
 * to its exit.
 */
final class SandboxObservation extends SandboxAdvice {

	private final ObservationRegistry registry;

	private final TenantTag tenantTag;

	SandboxObservation(ObservationRegistry registry, TenantTag tenantTag) {
		this.registry = registry;
		this.tenantTag = tenantTag;
	}

	@Override
	SandboxHandle start(Start start) throws Throwable {
		Observation observation = Observation.createNotStarted("kairo.sandbox.executions", this.registry)
			.contextualName("command")
			.lowCardinalityKeyValue("backend", start.backend())
			.lowCardinalityKeyValue("tenant", this.tenantTag.value(start.request().tenant()))
			.start();
		try {
			SandboxHandle handle = start.proceed();
			handle.exit().subscribe((exit) -> stop(observation, ExecutionOutcome.of(exit)), (failure) -> {
				observation.error(failure);
				stop(observation, "failed");
			});
			return handle;
		}
		catch (Throwable ex) {
			observation.error(ex);
			stop(observation, "rejected");
			throw ex;
		}
	}

	private static void stop(Observation observation, String outcome) {
		observation.lowCardinalityKeyValue("outcome", outcome);
		observation.stop();
	}

}
