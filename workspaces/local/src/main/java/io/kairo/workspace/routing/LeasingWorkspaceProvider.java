package io.kairo.workspace.routing;

import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;

/**
 * A {@link WorkspaceProvider} that keeps a lease for every workspace that was acquired
 * and not released, opens the files of leased workspaces, and releases idle ones. Safe
 * for use by several threads.
 */
public interface LeasingWorkspaceProvider extends WorkspaceProvider {

	/**
	 * Returns a factory for the files of the workspaces that are leased here.
	 * @return a factory that rejects a workspace that was not acquired here, or was
	 * released
	 */
	WorkspaceFilesFactory files();

	/**
	 * Returns a provider of the same workspaces whose leases have no idle timeout, for
	 * holders that have a timeout of their own. A workspace that was acquired there is
	 * released there.
	 * @return a view of this provider
	 */
	WorkspaceProvider keeping();

	/**
	 * Releases the workspaces that were not used for the idle timeout. Needs to be called
	 * periodically. A workspace that is leased through {@link #keeping()}, or whose files
	 * are being read or written, stays.
	 * @return the released workspaces, as they were before the release
	 */
	List<WorkspaceLease> releaseIdle();

	/**
	 * Returns the current leases.
	 * @return a copy, the oldest lease first
	 */
	List<WorkspaceLease> leases();

	/**
	 * Returns the number of open workspaces of each tenant. A workspace counts once,
	 * however often it was {@linkplain #acquire(WorkspaceRequest) acquired}.
	 * @return a copy, by tenant id, without tenants that have no open workspace
	 */
	Map<String, Integer> open();

}
