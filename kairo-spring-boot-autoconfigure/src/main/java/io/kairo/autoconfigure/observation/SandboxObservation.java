package io.kairo.autoconfigure.observation;

import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Observes every command of a sandbox as {@code kairo.sandbox.executions}, from its start
 * to its exit.
 */
final class SandboxObservation implements SandboxAdvice {

	private final ObservationRegistry registry;

	private final TenantTag tenantTag;

	SandboxObservation(ObservationRegistry registry, TenantTag tenantTag) {
		this.registry = registry;
		this.tenantTag = tenantTag;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		SandboxRequest request = SandboxAdvice.started(invocation);
		if (request == null || !(invocation.getThis() instanceof ExecutionSandbox sandbox)) {
			return invocation.proceed();
		}
		Observation observation = Observation.createNotStarted("kairo.sandbox.executions", this.registry)
			.contextualName("command")
			.lowCardinalityKeyValue("backend", sandbox.capabilities(request.tenant()).backend())
			.lowCardinalityKeyValue("tenant", this.tenantTag.value(request.tenant()))
			.start();
		try {
			SandboxHandle handle = Objects.requireNonNull((SandboxHandle) invocation.proceed(), "handle");
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
