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
 * A {@link WorkspaceProvider} that delegates to the provider that the scheme of a hint
 * selects, as in {@code memory:notes}. It opens the files of a workspace, and releases
 * it, at the provider that created it.
 * <p>
 * Every acquire creates a lease, and the workspace is released at its provider when the
 * last lease is released: as many times as it was acquired there, so that it makes no
 * difference whether the provider counts. While a workspace is being released, callers
 * that acquire it again wait and get a new one. Safe for use by several threads; a slow
 * provider does not delay callers of other providers.
 */
public final class RoutingWorkspaceProvider implements LeasingWorkspaceProvider, AutoCloseable {

	private static final Logger logger = System.getLogger(RoutingWorkspaceProvider.class.getName());

	private final Schemes schemes;

	private final LeaseBounds bounds;

	private final Leases leases;

	private final WorkspaceListeners listeners;

	private final WorkspaceProvider keeping = new UntilReleased();

	/**
	 * Creates a provider without limits.
	 * @param defaultScheme the scheme of the provider of hints without a scheme
	 * @param registrations the providers
	 * @param listeners notified of every acquire and release
	 * @throws DuplicateSchemeException if two providers have the same scheme
	 * @throws IllegalArgumentException if no provider has the default scheme
	 */
	public RoutingWorkspaceProvider(String defaultScheme, Collection<WorkspaceProviderRegistration> registrations,
			List<WorkspaceListener> listeners) {
		this(defaultScheme, registrations, listeners, LeaseBounds.UNBOUNDED);
	}

	/**
	 * Creates a provider.
	 * @param defaultScheme the scheme of the provider of hints without a scheme
	 * @param registrations the providers
	 * @param listeners notified of every acquire and release
	 * @param bounds the limits of leases
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
	 * Acquires a workspace. It is released when the idle timeout expires. Acquiring it
	 * again, opening its files through {@link #files()} and operations on those files
	 * count as use.
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

	@Override
	public WorkspaceProvider keeping() {
		return this.keeping;
	}

	@Override
	public List<WorkspaceLease> releaseIdle() {
		List<LeaseEntry> idle = this.leases.endIdle();
		for (LeaseEntry entry : idle) {
			logger.log(Level.INFO, "The workspace {0} is released after its idle timeout of {1}",
					entry.lease().workspace().id(), this.bounds.idleTimeout());
			giveBack(entry);
		}
		return idle.stream().map(LeaseEntry::lease).toList();
	}

	/**
	 * Releases all workspaces at their providers and prevents new leases. Returns no
	 * later than the close timeout; releases that are not complete then continue in the
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

	@Override
	public WorkspaceFilesFactory files() {
		return this::open;
	}

	@Override
	public List<WorkspaceLease> leases() {
		return this.leases.list();
	}

	@Override
	public Map<String, Integer> open() {
		return this.leases.open();
	}

	/**
	 * Returns whether there is a provider for a hint.
	 * @param hint the hint, may be null
	 * @return false if the hint has an unknown scheme
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
	 * The view without an idle timeout.
	 */
	private final class UntilReleased implements WorkspaceProvider {

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
