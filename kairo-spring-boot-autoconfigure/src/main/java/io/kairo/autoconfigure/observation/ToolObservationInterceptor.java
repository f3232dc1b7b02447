package io.kairo.autoconfigure.observation;

import java.util.Set;
import java.util.function.Supplier;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

/**
 * Observes every tool call as {@code kairo.tool.calls}, around all other interceptors.
 */
final class ToolObservationInterceptor implements ToolInterceptor, Ordered {

	private static final String UNKNOWN = "unknown";

	private final ObservationRegistry registry;

	private final TenantTag tenantTag;

	private final Supplier<Set<String>> toolNames;

	/**
	 * Creates the interceptor.
	 * @param registry the registry of the observations
	 * @param tenantTag limits the values of the tag tenant
	 * @param toolNames the names of the catalog's tools: a model can make up others, each
	 * of which would be a tag value
	 */
	ToolObservationInterceptor(ObservationRegistry registry, TenantTag tenantTag, Supplier<Set<String>> toolNames) {
		this.registry = registry;
		this.tenantTag = tenantTag;
		this.toolNames = toolNames;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		String tool = this.toolNames.get().contains(call.name()) ? call.name() : UNKNOWN;
		Observation observation = Observation.createNotStarted("kairo.tool.calls", this.registry)
			.contextualName("tool " + tool)
			.lowCardinalityKeyValue("tool", tool)
			.lowCardinalityKeyValue("tenant", this.tenantTag.value(context.tenant()));
		return observation.observe(() -> {
			try {
				ToolResult result = chain.proceed(call, context);
				describe(observation, result.error());
				return result;
			}
			catch (RuntimeException | Error ex) {
				describe(observation, new ToolError(ToolError.INTERNAL_ERROR, "An interceptor failed", null));
				throw ex;
			}
		});
	}

	private static void describe(Observation observation, @Nullable ToolError error) {
		observation.lowCardinalityKeyValue("outcome", (error != null) ? "failed" : "succeeded");
		observation.lowCardinalityKeyValue("code", (error != null) ? error.code() : "none");
	}

}
