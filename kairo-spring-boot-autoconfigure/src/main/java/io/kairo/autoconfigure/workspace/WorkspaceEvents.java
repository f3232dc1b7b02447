package io.kairo.autoconfigure.workspace;

import java.time.Duration;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.routing.WorkspaceListener;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Publishes the acquire and release of workspaces as application events. No event is
 * published while the context is being closed, since listeners can be destroyed then.
 */
final class WorkspaceEvents implements WorkspaceListener {

	private final ConfigurableApplicationContext context;

	WorkspaceEvents(ConfigurableApplicationContext context) {
		this.context = context;
	}

	@Override
	public void acquired(Workspace workspace, TenantContext tenant, Duration took) {
		publish(new WorkspaceAcquiredEvent(workspace.id(), workspace.kind(), tenant));
	}

	@Override
	public void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
		publish(new WorkspaceRefusedEvent(request.tenant(), failure));
	}

	@Override
	public void released(Workspace workspace, TenantContext tenant, int remaining) {
		publish(new WorkspaceReleasedEvent(workspace.id(), workspace.kind(), tenant, remaining));
	}

	private void publish(Object event) {
		if (!this.context.isClosed()) {
			this.context.publishEvent(event);
		}
	}

}
