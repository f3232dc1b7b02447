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
 * Notifies all listeners. A listener that fails, with any throwable, affects neither the
 * caller nor the other listeners.
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
	 * Notifies of a release.
	 * @param left the lease with the remaining holders
	 */
	void released(WorkspaceLease left) {
		tell((listener) -> listener.released(left.workspace(), left.tenant(), left.holders()));
	}

	/**
	 * Notifies of the loss of a workspace, once for each holder.
	 * @param lease the lease with all its holders
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
				logger.log(Level.WARNING, "A workspace listener failed", ex);
			}
		}
	}

}
