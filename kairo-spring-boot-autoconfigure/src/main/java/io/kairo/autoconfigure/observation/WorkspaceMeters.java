package io.kairo.autoconfigure.observation;

import java.time.Duration;
import java.util.Locale;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.routing.WorkspaceListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/**
 * Publishes the duration of every acquire as {@code kairo.workspace.acquisitions}, and
 * the number of leases as {@code kairo.workspace.active}.
 */
final class WorkspaceMeters implements WorkspaceListener {

	private final MeterRegistry registry;

	private final TenantTag tenantTag;

	private final ActiveGauges active;

	WorkspaceMeters(MeterRegistry registry, TenantTag tenantTag) {
		this.registry = registry;
		this.tenantTag = tenantTag;
		this.active = new ActiveGauges(registry, "kairo.workspace.active",
				"Workspaces that were acquired and not released, once for each who has one");
	}

	@Override
	public void acquired(Workspace workspace, TenantContext tenant, Duration took) {
		Tags tags = tags(kind(workspace), tenant);
		this.registry.timer("kairo.workspace.acquisitions", tags.and("outcome", "succeeded")).record(took);
		this.active.count(tags).incrementAndGet();
	}

	@Override
	public void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
		this.registry.timer("kairo.workspace.acquisitions", tags("unknown", request.tenant()).and("outcome", "failed"))
			.record(took);
	}

	@Override
	public void released(Workspace workspace, TenantContext tenant, int remaining) {
		this.active.count(tags(kind(workspace), tenant)).decrementAndGet();
	}

	private static String kind(Workspace workspace) {
		return workspace.kind().name().toLowerCase(Locale.ROOT);
	}

	private Tags tags(String kind, TenantContext tenant) {
		return Tags.of("kind", kind, "tenant", this.tenantTag.value(tenant));
	}

}
