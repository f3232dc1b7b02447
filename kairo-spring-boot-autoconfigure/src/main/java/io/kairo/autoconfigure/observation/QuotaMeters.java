package io.kairo.autoconfigure.observation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceUsage;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.routing.WorkspaceListener;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

/**
 * Publishes the used share of the quota as {@code kairo.tenant.limit}, after each call
 * that has opened the files of a workspace. Of the acquired workspaces that share a tag,
 * the largest share counts.
 */
final class QuotaMeters implements ToolInterceptor, WorkspaceListener, Ordered {

	private static final Log logger = LogFactory.getLog(QuotaMeters.class);

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
		// inside the limits: a rejected call needs no workspace
		return Ordered.HIGHEST_PRECEDENCE + 101;
	}

	@Override
	public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
		AtomicReference<@Nullable WorkspaceFiles> opened = new AtomicReference<>();
		ToolContext watched = context.toBuilder().decorateFiles((files) -> {
			opened.set(files);
			return files;
		}).build();
		try {
			return chain.proceed(call, watched);
		}
		finally {
			WorkspaceFiles files = opened.get();
			if (files != null) {
				measure(files, watched);
			}
		}
	}

	/**
	 * Measures the usage. Failures are ignored, since the call has its result.
	 */
	private void measure(WorkspaceFiles files, ToolContext context) {
		try {
			WorkspaceUsage usage = files.usage();
			if (usage != null) {
				this.usages.computeIfAbsent(this.tenantTag.value(context.tenant()), this::register)
					.put(context.currentWorkspace().id(), usage);
			}
		}
		catch (RuntimeException ex) {
			logger.debug(
					"The used share of the quota of tenant " + context.tenant().tenantId() + " could not be determined",
					ex);
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
