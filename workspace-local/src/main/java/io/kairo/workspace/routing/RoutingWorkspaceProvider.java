package io.kairo.workspace.routing;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * A provider that delegates to the provider of the scheme of a hint, as in
 * {@code memory:notes}. It records the provider of each id, to which {@link #files()} and
 * releases are delegated.
 * <p>
 * Every acquire is a lease on an id. When the last lease is released, the workspace is
 * released by its provider as often as it was acquired there, so that it makes no
 * difference whether that provider counts too. An acquire during such a release waits and
 * gets a new workspace. Safe for use by several threads; a slow provider delays only
 * requests for its own workspaces.
 *
 * @since 0.1.0
 */
public final class RoutingWorkspaceProvider implements WorkspaceProvider, AutoCloseable {

	private static final Logger logger = System.getLogger(RoutingWorkspaceProvider.class.getName());

	private final Schemes schemes;

	private final LeaseBounds bounds;

	private final Leases leases;

	private final WorkspaceListeners listeners;

	private final WorkspaceProvider keeping = new Keeping();

	/**
	 * Creates a provider without bounds.
	 * @param defaultScheme the scheme of hints without one
	 * @param registrations the providers
	 * @param listeners receive every acquire and release
	 * @throws DuplicateSchemeException if two providers have the same scheme
	 * @throws IllegalArgumentException if no provider has the default scheme
	 */
	public RoutingWorkspaceProvider(String defaultScheme, Collection<WorkspaceProviderRegistration> registrations,
			List<WorkspaceListener> listeners) {
		this(defaultScheme, registrations, listeners, LeaseBounds.UNBOUNDED);
	}

	/**
	 * Creates a provider.
	 * @param defaultScheme the scheme of hints without one
	 * @param registrations the providers
	 * @param listeners receive every acquire and release
	 * @param bounds the bounds on leases
	 * @throws DuplicateSchemeException if two providers have the same scheme
	 * @throws IllegalArgumentException if no provider has the default scheme
	 */
	public RoutingWorkspaceProvider(String defaultScheme, Collection<WorkspaceProviderRegistration> registrations,
			List<WorkspaceListener> listeners, LeaseBounds bounds) {
		this(defaultScheme, registrations, listeners, bounds, System::nanoTime);
	}

	RoutingWorkspaceProvider(String defaultScheme, Collection<WorkspaceProviderRegistration> registrations,
			List<WorkspaceListener> listeners, LeaseBounds bounds, LongSupplier nanoTime) {
		this.schemes = new Schemes(defaultScheme, registrations);
		this.listeners = new WorkspaceListeners(listeners);
		this.bounds = bounds;
		this.leases = new Leases(bounds, nanoTime);
	}

	/**
	 * Creates or finds a workspace. Its lease ends after the idle timeout of the bounds.
	 * A use is an acquire, the opening of its files through {@link #files()}, and any
	 * operation on those files.
	 * @throws TooManyWorkspacesException if the tenant has reached its maximum number of
	 * open workspaces
	 * @throws IllegalStateException if this provider was closed
	 */
	@Override
	public Workspace acquire(WorkspaceRequest request) {
		return acquire(request, LeaseMode.WHILE_USED);
	}

	@Override
	public void release(@Nullable String workspaceId) {
		release(workspaceId, LeaseMode.WHILE_USED);
	}

	/**
	 * Returns a provider whose leases have no idle timeout, for holders with a timeout of
	 * their own. Its workspaces are to be released through it.
	 * @return a provider over the same workspaces
	 */
	public WorkspaceProvider keeping() {
		return this.keeping;
	}

	/**
	 * Releases the workspaces whose idle timeout has passed. To be called periodically. A
	 * workspace of a session, or with running operations on its files, is kept.
	 * @return the leases that ended, as they were before
	 */
	public List<WorkspaceLease> releaseIdle() {
		List<LeaseEntry> idle = this.leases.endIdle();
		for (LeaseEntry entry : idle) {
			logger.log(Level.INFO, "Releasing the workspace {0}, which has been idle for {1}",
					entry.lease().workspace().id(), this.bounds.idleTimeout());
			giveBack(entry);
		}
		return idle.stream().map(LeaseEntry::lease).toList();
	}

	/**
	 * Releases every workspace and refuses further acquires. Returns after the close
	 * timeout of the bounds at the latest; unfinished releases then continue in the
	 * background.
	 */
	@Override
	public void close() {
		List<LeaseEntry> left = this.leases.close();
		new Closing(left, this::giveBack).perform(this.bounds.closeTimeout());
	}

	private void giveBack(LeaseEntry entry) {
		try {
			this.leases.giveBack(entry);
		}
		catch (Throwable ex) {
			logger.log(Level.WARNING, "The workspace " + entry.lease().workspace().id() + " could not be released", ex);
		}
		this.listeners.takenBack(entry.lease());
	}

	private Workspace acquire(WorkspaceRequest request, LeaseMode mode) {
		long started = System.nanoTime();
		Workspace workspace;
		try {
			workspace = this.leases.acquire(this.schemes.find(request.hint()), request, mode);
		}
		catch (RuntimeException ex) {
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			this.listeners.refused(request, ex, took);
			throw ex;
		}
		Duration took = Duration.ofNanos(System.nanoTime() - started);
		this.listeners.acquired(workspace, request.tenant(), took);
		return workspace;
	}

	private void release(@Nullable String workspaceId, LeaseMode mode) {
		LeaseTable.Released released = (workspaceId != null) ? this.leases.release(workspaceId, mode) : null;
		if (released == null) {
			return;
		}
		try {
			if (released.last() != null) {
				this.leases.giveBack(released.last());
			}
		}
		finally {
			this.listeners.released(released.lease());
		}
	}

	/**
	 * Returns the factory of the files of leased workspaces.
	 * @return a factory that refuses a workspace that was not acquired here, or was
	 * released
	 */
	public WorkspaceFilesFactory files() {
		return this::open;
	}

	/**
	 * Returns the current leases.
	 * @return a copy, the oldest first
	 */
	public List<WorkspaceLease> leases() {
		return this.leases.list();
	}

	/**
	 * Returns the number of open workspaces of each tenant, each counted once whatever
	 * its number of holders.
	 * @return a copy, by the id of the tenant, without tenants that have none
	 */
	public Map<String, Integer> open() {
		return this.leases.open();
	}

	/**
	 * Returns whether there is a provider for a hint.
	 * @param hint the hint, may be null
	 * @return false if it starts with an unknown scheme
	 */
	public boolean knows(@Nullable String hint) {
		return this.schemes.knows(hint);
	}

	private WorkspaceFiles open(Workspace workspace) {
		WorkspaceFiles files = this.leases.open(workspace);
		if (files == null) {
			throw new WorkspaceException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED, "The workspace "
					+ WorkspacePath.quote(workspace.id()) + " was not acquired here, or was released: acquire it again",
					null);
		}
		return files;
	}

	/**
	 * The provider of leases without an idle timeout.
	 */
	private final class Keeping implements WorkspaceProvider {

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			return RoutingWorkspaceProvider.this.acquire(request, LeaseMode.UNTIL_RELEASED);
		}

		@Override
		public void release(@Nullable String workspaceId) {
			RoutingWorkspaceProvider.this.release(workspaceId, LeaseMode.UNTIL_RELEASED);
		}

	}

}
