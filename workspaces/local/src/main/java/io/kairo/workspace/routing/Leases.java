package io.kairo.workspace.routing;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Acquires workspaces from their providers and releases them there. The leases are in the
 * {@link LeaseTable}, whose lock is never held while a provider is called. Safe for use
 * by several threads.
 */
final class Leases {

	private static final Logger logger = System.getLogger(Leases.class.getName());

	private final LeaseBounds bounds;

	private final LeaseTable table;

	Leases(LeaseBounds bounds, LongSupplier nanoTime) {
		this.bounds = bounds;
		this.table = new LeaseTable(bounds.maxPerTenant(), nanoTime);
	}

	Workspace acquire(WorkspaceProviderRegistration registration, WorkspaceRequest request, LeaseMode mode) {
		List<String> missed = new ArrayList<>();
		try {
			while (true) {
				PendingReleases.Call call = this.table.begin(registration, request);
				Workspace workspace = make(registration, request, call);
				LeaseTable.Leased leased = this.table.lease(workspace, registration, request, mode, call);
				if (leased.workspace() != null) {
					return leased.workspace();
				}
				if (leased.refusal() != null) {
					giveBack(registration, workspace.id(), 1);
					throw leased.refusal();
				}
				missed.add(workspace.id());
			}
		}
		finally {
			missed.forEach((id) -> account(registration, id));
		}
	}

	/**
	 * Accounts for a call that was repeated, after its repetition: if both returned the
	 * same workspace, it is released once.
	 */
	private void account(WorkspaceProviderRegistration registration, String id) {
		try {
			if (this.table.account(registration, id)) {
				giveBack(registration, id, 1);
			}
		}
		catch (RuntimeException ex) {
			// the caller has the other workspace, or another failure
			logger.log(Level.WARNING, "The workspace " + id + " could not be released", ex);
		}
	}

	private Workspace make(WorkspaceProviderRegistration registration, WorkspaceRequest request,
			PendingReleases.Call call) {
		try {
			Workspace workspace = registration.provider().acquire(request);
			if (workspace == null || workspace.id() == null) {
				throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
						"The provider '" + registration.scheme()
								+ "' returned no workspace, or a workspace without an id: throw an exception instead",
						null);
			}
			return workspace;
		}
		catch (Throwable ex) {
			this.table.abandon(call);
			throw ex;
		}
	}

	/**
	 * Ends one lease of a workspace.
	 * @return the result, with the entry to release at the provider if it was the last
	 * lease; null if there is no such lease
	 */
	LeaseTable.@Nullable Released release(String id, LeaseMode mode) {
		return this.table.release(id, mode);
	}

	/**
	 * Ends the leases whose idle timeout has expired.
	 * @return the entries to release at their providers
	 */
	List<LeaseEntry> endIdle() {
		return this.table.end((entry) -> this.bounds.idleTimeout() != null && !entry.isKept()
				&& entry.use().endIfIdle(this.bounds.idleTimeout()));
	}

	/**
	 * Ends all leases and prevents new ones.
	 * @return the entries to release at their providers
	 */
	List<LeaseEntry> close() {
		return this.table.close();
	}

	void giveBack(LeaseEntry entry) {
		giveBack(entry.registration(), entry.lease().workspace().id(), entry.acquired());
	}

	/**
	 * Releases a workspace as often as it was acquired, even if one release fails: a
	 * provider that counts would keep it forever.
	 */
	private void giveBack(WorkspaceProviderRegistration registration, String id, int times) {
		RuntimeException failure = null;
		try {
			for (int i = 0; i < times; i++) {
				try {
					registration.provider().release(id);
				}
				catch (RuntimeException ex) {
					failure = (failure != null) ? failure : ex;
				}
			}
		}
		finally {
			this.table.finish(registration, id);
		}
		if (failure != null) {
			throw failure;
		}
	}

	/**
	 * Opens the files of a workspace.
	 * @return the files, null if it is not leased
	 */
	@Nullable WorkspaceFiles open(Workspace workspace) {
		LeaseEntry entry = this.table.find(workspace.id());
		if (entry == null) {
			return null;
		}
		entry.use().touch();
		WorkspaceFiles files = entry.registration().files().open(workspace);
		return (this.bounds.idleTimeout() != null) ? new LeaseTrackingFiles(files, entry.use()) : files;
	}

	List<WorkspaceLease> list() {
		return this.table.list();
	}

	Map<String, Integer> open() {
		return this.table.open();
	}

}
