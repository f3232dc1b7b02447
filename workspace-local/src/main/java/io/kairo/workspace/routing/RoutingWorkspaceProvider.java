package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

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
public final class RoutingWorkspaceProvider implements WorkspaceProvider {

	private final Schemes schemes;

	private final Leases leases = new Leases();

	private final List<WorkspaceListener> listeners;

	/**
	 * Creates a provider.
	 * @param defaultScheme names the provider of hints without a scheme
	 * @param registrations the providers
	 * @param listeners are told of every acquire and release
	 * @throws DuplicateSchemeException if two are for one scheme
	 * @throws IllegalArgumentException if none is for the default scheme
	 */
	public RoutingWorkspaceProvider(String defaultScheme, Collection<WorkspaceProviderRegistration> registrations,
			List<WorkspaceListener> listeners) {
		this.schemes = new Schemes(defaultScheme, registrations);
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		long started = System.nanoTime();
		try {
			WorkspaceProviderRegistration registration = this.schemes.find(request.hint());
			Workspace workspace = this.leases.acquire(registration, request);
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			tell((listener) -> listener.acquired(workspace, request.tenant(), took));
			return workspace;
		}
		catch (RuntimeException ex) {
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			tell((listener) -> listener.refused(request, ex, took));
			throw ex;
		}
	}

	@Override
	public void release(@Nullable String workspaceId) {
		WorkspaceLease left = (workspaceId != null) ? this.leases.release(workspaceId) : null;
		if (left != null) {
			tell((listener) -> listener.released(left.workspace(), left.tenant(), left.holders()));
		}
	}

	/**
	 * Returns the files of the workspaces that are leased here.
	 * @return a factory that refuses a workspace that was not acquired here, or was
	 * released
	 */
	public WorkspaceFilesFactory files() {
		return this::open;
	}

	/**
	 * Returns what was acquired and not released.
	 * @return a copy, the oldest first
	 */
	public List<WorkspaceLease> leases() {
		return this.leases.list();
	}

	private WorkspaceFiles open(Workspace workspace) {
		WorkspaceFilesFactory files = this.leases.files(workspace.id());
		if (files == null) {
			throw new WorkspaceException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED, "The workspace "
					+ WorkspacePath.quote(workspace.id()) + " was not acquired here, or was released: acquire it again",
					null);
		}
		return files.open(workspace);
	}

	private void tell(Consumer<WorkspaceListener> event) {
		this.listeners.forEach(event);
	}

}
