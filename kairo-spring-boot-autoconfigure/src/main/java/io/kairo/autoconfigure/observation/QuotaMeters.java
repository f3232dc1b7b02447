package io.kairo.autoconfigure.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceUsage;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.routing.WorkspaceListener;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.core.Ordered;

/**
 * Tells the used share of the quota as {@code kairo.tenant.limit}, after each call of a
 * tool: of the workspaces that share a tag the largest, as long as they are acquired.
 */
final class QuotaMeters implements ToolInterceptor, WorkspaceListener, Ordered {

	private final LimitGauges gauges;

	private final TenantTag tenantTag;

	/** By tag, then by id of the workspace. */
	private final Map<String, Map<String, WorkspaceUsage>> usages = new ConcurrentHashMap<>();

	QuotaMeters(MeterRegistry registry, TenantTag tenantTag) {
		this.gauges = new LimitGauges(registry);
		this.tenantTag = tenantTag;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE + 2;
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		try {
			return chain.proceed(call, context);
		}
		finally {
			WorkspaceUsage usage = context.files().usage();
			if (usage != null) {
				this.usages.computeIfAbsent(this.tenantTag.value(context.tenant()), this::register)
					.put(context.currentWorkspace().id(), usage);
			}
		}
	}

	@Override
	public void released(Workspace workspace, TenantContext tenant, int remaining) {
		Map<String, WorkspaceUsage> known = this.usages.get(this.tenantTag.value(tenant));
		if (known != null && remaining == 0) {
			known.remove(workspace.id());
		}
	}

	private Map<String, WorkspaceUsage> register(String tenant) {
		Map<String, WorkspaceUsage> known = new ConcurrentHashMap<>();
		gauge(known, tenant, "workspace-bytes", WorkspaceUsage::bytesShare);
		gauge(known, tenant, "workspace-files", WorkspaceUsage::filesShare);
		return known;
	}

	private void gauge(Map<String, WorkspaceUsage> known, String tenant, String limit,
			ToDoubleFunction<WorkspaceUsage> share) {
		this.gauges.register(tenant, limit, known,
				(usages) -> usages.values().stream().mapToDouble(share).max().orElse(0));
	}

}
