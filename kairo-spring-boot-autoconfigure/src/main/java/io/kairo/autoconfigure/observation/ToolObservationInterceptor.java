package io.kairo.autoconfigure.observation;

import java.util.Set;
import java.util.function.Supplier;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
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

	private static final ToolCallObservationConvention DEFAULT = new DefaultToolCallObservationConvention();

	private final ObservationRegistry registry;

	private final TenantTag tenantTag;

	private final Supplier<Set<String>> toolNames;

	private final @Nullable ToolCallObservationConvention convention;

	/**
	 * Creates the interceptor.
	 * @param registry the registry of the observations
	 * @param tenantTag limits the values of the tag tenant
	 * @param toolNames the names of the catalog's tools: a model can make up others, and
	 * each would be a tag value
	 * @param convention the convention of the application, null for the default
	 */
	ToolObservationInterceptor(ObservationRegistry registry, TenantTag tenantTag, Supplier<Set<String>> toolNames,
			@Nullable ToolCallObservationConvention convention) {
		this.registry = registry;
		this.tenantTag = tenantTag;
		this.toolNames = toolNames;
		this.convention = convention;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		String tool = this.toolNames.get().contains(call.name()) ? call.name() : UNKNOWN;
		ToolCallObservationContext observed = new ToolCallObservationContext(tool,
				this.tenantTag.value(context.tenant()), call, context);
		return Observation.createNotStarted(this.convention, DEFAULT, () -> observed, this.registry).observe(() -> {
			ToolResult result = chain.proceed(call, context);
			observed.result(result);
			return result;
		});
	}

}
