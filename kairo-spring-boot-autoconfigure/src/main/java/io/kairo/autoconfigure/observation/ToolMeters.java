package io.kairo.autoconfigure.observation;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

/**
 * Counts the denials by policies as {@code kairo.policy.denials}, and the bytes that
 * tools write as {@code kairo.workspace.written}.
 */
final class ToolMeters implements ToolInterceptor, Ordered {

	/** Codes of calls that are forbidden rather than impossible. */
	private static final Set<String> DENIALS = Set.of("path_traversal_blocked", "read_only", "protected_path",
			"quota_exceeded", "workspace_not_assigned", "remote_refused", "too_many_workspaces", ToolError.RATE_LIMITED,
			ToolError.TOO_MANY_EXECUTIONS, ToolError.TOO_MANY_CALLS, "policy_denied", "approval_denied",
			"approval_expired", "approval_stale", "approval_used", "too_many_approvals", "approval_unavailable",
			ToolError.BUDGET_EXCEEDED, ToolError.BUDGET_UNAVAILABLE);

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

	/**
	 * Files that count the bytes of every applied change. Copies are not counted.
	 */
	private static final class CountedFiles extends ForwardingWorkspaceFiles {

		private final LongConsumer written;

		CountedFiles(WorkspaceFiles files, LongConsumer written) {
			super(files);
			this.written = written;
		}

		@Override
		public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
			WorkspaceResult<ChangeReport> result = delegate().apply(change);
			if (result.isOk()) {
				List<WorkspaceChange> leaves = change.leaves();
				List<ChangeReport.Line> lines = result.value().lines();
				long bytes = 0;
				for (int i = 0; i < Math.min(leaves.size(), lines.size()); i++) {
					bytes += lines.get(i).applied() ? size(leaves.get(i)) : 0;
				}
				if (bytes > 0) {
					this.written.accept(bytes);
				}
			}
			return result;
		}

		@Override
		public @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
			WorkspaceFiles relocated = delegate().relocated(directories);
			return (relocated != null) ? new CountedFiles(relocated, this.written) : null;
		}

		@Override
		public @Nullable WorkspaceFiles including(Path directory) {
			WorkspaceFiles wider = delegate().including(directory);
			return (wider != null) ? new CountedFiles(wider, this.written) : null;
		}

		private static long size(WorkspaceChange change) {
			if (change instanceof WorkspaceChange.Write write) {
				return write.content().length;
			}
			return (change instanceof WorkspaceChange.CompareExchange exchange) ? exchange.content().length : 0;
		}

	}

}
