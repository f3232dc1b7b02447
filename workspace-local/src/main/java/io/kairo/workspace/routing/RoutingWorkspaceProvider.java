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
 * The one provider over all others: the scheme of a hint says which makes the workspace,
 * as in {@code memory:notes}. It remembers who made an id, so that {@link #files()} opens
 * the files there and release leads there.
 * <p>
 * Every acquire is a lease on its id, and the workspace is given back to its provider
 * when the last one is released: as many times as it was acquired there, so that it makes
 * no difference whether that provider counts too. While a workspace is being given back,
 * whoever acquires it anew waits and gets a new one. Safe for use by several threads; a
 * slow provider delays nobody who asks for something else.
 *
 * @since 0.1.0
 */
public final class RoutingWorkspaceProvider implements LeasingWorkspaceProvider, AutoCloseable {

	private static final Logger logger = System.getLogger(RoutingWorkspaceProvider.class.getName());

	private final Schemes schemes;

	private final LeaseBounds bounds;

	private final Leases leases;

	private final WorkspaceListeners listeners;

	private final WorkspaceProvider keeping = new Keeping();

	/**
	 * Creates a provider without bounds.
	 * @param defaultScheme names the provider of hints without a scheme
	 * @param registrations the providers
	 * @param listeners are told of every acquire and release
	 * @throws DuplicateSchemeException if two are for one scheme
	 * @throws IllegalArgumentException if none is for the default scheme
	 */
	public RoutingWorkspaceProvider(String defaultScheme, Collection<WorkspaceProviderRegistration> registrations,
			List<WorkspaceListener> listeners) {
		this(defaultScheme, registrations, listeners, LeaseBounds.UNBOUNDED);
	}

	/**
	 * Creates a provider.
	 * @param defaultScheme names the provider of hints without a scheme
	 * @param registrations the providers
	 * @param listeners are told of every acquire and release
	 * @param bounds how long and how many workspaces may be leased
	 * @throws DuplicateSchemeException if two are for one scheme
	 * @throws IllegalArgumentException if none is for the default scheme
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
	 * Makes or finds a workspace. It is taken back when it was not used for the idle
	 * time-out of the bounds: a use is to acquire it, to open its files through
	 * {@link #files()}, and what is done to files that were opened so.
	 * @throws TooManyWorkspacesException if the tenant has as many open as it may have
	 * @throws IllegalStateException if this provider was closed
	 */
	@Override
	public Workspace acquire(WorkspaceRequest request) {
		return acquire(request, Hold.WHILE_USED);
	}

	@Override
	public void release(@Nullable String workspaceId) {
		release(workspaceId, Hold.WHILE_USED);
	}

	@Override
	public WorkspaceProvider keeping() {
		return this.keeping;
	}

	@Override
	public List<WorkspaceLease> releaseIdle() {
		List<LeaseEntry> idle = this.leases.endIdle();
		for (LeaseEntry entry : idle) {
			logger.log(Level.INFO, "The workspace {0} is taken back: nobody has used it for {1}",
					entry.lease().workspace().id(), this.bounds.idleTimeout());
			giveBack(entry);
		}
		return idle.stream().map(LeaseEntry::lease).toList();
	}

	/**
	 * Gives every workspace back to its provider, whoever has it, and lets none be
	 * acquired afterwards. Returns at the latest when the time of the bounds is over;
	 * providers that are not done then go on.
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
			logger.log(Level.WARNING, "The workspace " + entry.lease().workspace().id() + " could not be given back",
					ex);
		}
		this.listeners.takenBack(entry.lease());
	}

	private Workspace acquire(WorkspaceRequest request, Hold hold) {
		long started = System.nanoTime();
		Workspace workspace;
		try {
			workspace = this.leases.acquire(this.schemes.find(request.hint()), request, hold);
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

	private void release(@Nullable String workspaceId, Hold hold) {
		LeaseTable.Released released = (workspaceId != null) ? this.leases.release(workspaceId, hold) : null;
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
	 * Returns whether a provider is there for a hint.
	 * @param hint the hint, may be null
	 * @return false if it starts with a scheme that is not known
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
	 * The way for holders that have a bound of their own.
	 */
	private final class Keeping implements WorkspaceProvider {

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			return RoutingWorkspaceProvider.this.acquire(request, Hold.UNTIL_RELEASED);
		}

		@Override
		public void release(@Nullable String workspaceId) {
			RoutingWorkspaceProvider.this.release(workspaceId, Hold.UNTIL_RELEASED);
		}

	}

}
