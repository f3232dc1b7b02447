package io.kairo.workspace.routing;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;

/**
 * Tells every listener. One that fails, whatever it throws, keeps nobody from a
 * workspace, nor others from learning of it.
 */
final class WorkspaceListeners {

	private static final Logger logger = System.getLogger(WorkspaceListeners.class.getName());

	private final List<WorkspaceListener> listeners;

	WorkspaceListeners(List<WorkspaceListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	void acquired(Workspace workspace, TenantContext tenant, Duration took) {
		tell((listener) -> listener.acquired(workspace, tenant, took));
	}

	void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
		tell((listener) -> listener.refused(request, failure, took));
	}

	/**
	 * Tells of one who released a workspace.
	 * @param left who has it now
	 */
	void released(WorkspaceLease left) {
		tell((listener) -> listener.released(left.workspace(), left.tenant(), left.holders()));
	}

	/**
	 * Tells of each one who has lost a workspace.
	 * @param lease who had it
	 */
	void takenBack(WorkspaceLease lease) {
		for (int holders = lease.holders() - 1; holders >= 0; holders--) {
			released(lease.withHolders(holders));
		}
	}

	private void tell(Consumer<WorkspaceListener> event) {
		for (WorkspaceListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (Throwable ex) {
				logger.log(Level.WARNING, "A listener to workspaces failed", ex);
			}
		}
	}

}
