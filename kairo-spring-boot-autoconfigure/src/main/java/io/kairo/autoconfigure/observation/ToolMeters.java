package io.kairo.autoconfigure.observation;

import java.util.Set;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.core.Ordered;

/**
 * Counts the denials by policies as {@code kairo.policy.denials}, and the bytes that
 * tools write as {@code kairo.workspace.written}.
 */
final class ToolMeters implements ToolInterceptor, Ordered {

	/** Codes of calls that are forbidden rather than impossible. */
	private static final Set<String> DENIALS = Set.of("path_traversal_blocked", "read_only", "protected_path",
			"quota_exceeded", "workspace_not_assigned", "remote_refused", "too_many_workspaces", ToolError.RATE_LIMITED,
			ToolError.TOO_MANY_EXECUTIONS);

	private final MeterRegistry registry;

	private final TenantTag tenantTag;

	ToolMeters(MeterRegistry registry, TenantTag tenantTag) {
		this.registry = registry;
		this.tenantTag = tenantTag;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE + 1;
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		String tenant = this.tenantTag.value(context.tenant());
		ToolContext counted = context.toBuilder()
			.decorateFiles((files) -> new CountedFiles(files,
					(bytes) -> this.registry.counter("kairo.workspace.written", "tenant", tenant)
						.increment((double) bytes)))
			.build();
		ToolResult result = chain.proceed(call, counted);
		ToolError error = result.error();
		if (error != null && DENIALS.contains(error.code())) {
			this.registry.counter("kairo.policy.denials", "reason", error.code(), "tenant", tenant).increment();
		}
		return result;
	}

}
