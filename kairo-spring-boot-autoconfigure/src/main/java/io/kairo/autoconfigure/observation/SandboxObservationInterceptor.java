package io.kairo.autoconfigure.observation;

import java.util.HashMap;
import java.util.Map;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Observes every command of a sandbox as {@code kairo.sandbox.executions}, from start to
 * exit.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SandboxObservationInterceptor implements SandboxInterceptor {

	private static final ExecutionObservationConvention DEFAULT = new DefaultExecutionObservationConvention();

	private final ObservationRegistry registry;

	private final TenantTag tenantTag;

	private final @Nullable ExecutionObservationConvention convention;

	private final boolean passesTrace;

	/**
	 * Creates the interceptor.
	 * @param registry the registry of the observations
	 * @param tenantTag limits the values of the tag tenant
	 * @param convention the convention of the application, null for the default
	 * @param passesTrace whether commands get the trace in their environment
	 */
	SandboxObservationInterceptor(ObservationRegistry registry, TenantTag tenantTag,
			@Nullable ExecutionObservationConvention convention, boolean passesTrace) {
		this.passesTrace = passesTrace;
		this.registry = registry;
		this.tenantTag = tenantTag;
		this.convention = convention;
	}

	private SandboxRequest traced(SandboxRequest request, ExecutionObservationContext context) {
		if (!this.passesTrace || context.trace().isEmpty()) {
			return request;
		}
		Map<String, String> env = new HashMap<>(request.env());
		env.putAll(context.trace());
		return new SandboxRequest(request.command(), request.workspaceRoot(), env, request.timeout(),
				request.maxOutputBytes(), request.tenant(), request.readOnly(), request.attributes());
	}

	@Override
	public SandboxHandle intercept(SandboxRequest request, Chain chain) {
		ExecutionObservationContext context = new ExecutionObservationContext(
				chain.capabilities(request.tenant()).backend(), this.tenantTag.value(request.tenant()), request);
		Observation observation = Observation.start(this.convention, DEFAULT, () -> context, this.registry);
		try {
			SandboxHandle handle = chain.proceed(traced(request, context));
			handle.exit().subscribe((exit) -> {
				context.ended(exit, ExecutionOutcome.of(exit));
				observation.stop();
			}, (failure) -> {
				context.ended(null, "failed");
				observation.error(failure).stop();
			});
			return handle;
		}
		catch (Throwable ex) {
			context.ended(null, ExecutionOutcome.REJECTED);
			observation.error(ex).stop();
			throw ex;
		}
	}

}
