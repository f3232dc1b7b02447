package io.kairo.autoconfigure.endpoint;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;

import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.tools.AgentSessions;
import io.kairo.workspace.local.WorkspaceRoots;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import io.kairo.workspace.routing.WorkspaceLease;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@link Endpoint} for the acquired workspaces, without their files. The sessions of a
 * workspace can be ended, and directories can be added to workspaces; both need
 * unrestricted access.
 */
@Endpoint(id = "kairoworkspaces", defaultAccess = Access.READ_ONLY)
public class WorkspacesEndpoint {

	private final LeasingWorkspaceProvider provider;

	private final AgentSessions sessions;

	private final @Nullable WorkspaceRoots roots;

	/**
	 * Creates the endpoint.
	 * @param provider the provider of the workspaces
	 * @param sessions the sessions in the workspaces
	 * @param roots the roots that directories are added to, null if there are none
	 */
	WorkspacesEndpoint(LeasingWorkspaceProvider provider, AgentSessions sessions, @Nullable WorkspaceRoots roots) {
		this.provider = provider;
		this.sessions = sessions;
		this.roots = roots;
	}

	/**
	 * Returns the workspaces.
	 * @return the workspaces, the oldest first
	 */
	@ReadOperation
	public Workspaces workspaces() {
		return new Workspaces(this.provider.leases().stream().map(Acquired::of).toList());
	}

	/**
	 * Returns a workspace.
	 * @param number its number
	 * @return the workspace, null if it is not acquired
	 */
	@ReadOperation
	public @Nullable Acquired workspace(@Selector long number) {
		WorkspaceLease lease = find(number);
		return (lease != null) ? Acquired.of(lease) : null;
	}

	/**
	 * Adds a directory to the workspaces of a tenant, or of all tenants, including the
	 * workspaces in use. It stays until the application ends or it is taken back.
	 * @param directory the directory
	 * @param tenant the id of the tenant, null for all tenants
	 * @return the real path that was added, or the reason that it was rejected
	 */
	@WriteOperation
	public WebEndpointResponse<Object> add(String directory, @Nullable String tenant) {
		return change(directory, (roots, path) -> {
			Path added = (tenant != null) ? roots.addFor(tenant, path) : roots.add(path);
			return new WebEndpointResponse<>(new Added(added.toString(), tenant));
		});
	}

	/**
	 * Takes back a directory that was added to the workspaces of a tenant, or of all
	 * tenants. Running calls and commands are not interrupted.
	 * @param directory the directory, by its real path or as it was added
	 * @param tenant the id of the tenant, null for all tenants
	 * @return status 204, or 404 if the directory was not added in this way
	 */
	@DeleteOperation
	public WebEndpointResponse<Object> remove(String directory, @Nullable String tenant) {
		return change(directory, (roots, path) -> {
			boolean removed = (tenant != null) ? roots.removeFor(tenant, path) : roots.remove(path);
			return new WebEndpointResponse<>(
					removed ? WebEndpointResponse.STATUS_NO_CONTENT : WebEndpointResponse.STATUS_NOT_FOUND);
		});
	}

	private WebEndpointResponse<Object> change(String directory,
			BiFunction<WorkspaceRoots, Path, WebEndpointResponse<Object>> change) {
		if (this.roots == null) {
			return refused("unknown_provider", "This application has no workspaces that directories can be added to");
		}
		try {
			return change.apply(this.roots, Path.of(directory));
		}
		catch (WorkspacePathException ex) {
			return refused(ex.code().code(), String.valueOf(ex.getMessage()));
		}
		catch (InvalidPathException ex) {
			return refused("invalid_path", "The directory cannot be a path: " + ex.getReason());
		}
	}

	private static WebEndpointResponse<Object> refused(String code, String message) {
		return new WebEndpointResponse<>(new Refused(code, message), WebEndpointResponse.STATUS_BAD_REQUEST);
	}

	/**
	 * Ends the sessions of a workspace to release it. A running call is not interrupted:
	 * its session ends when it returns. Leases of the application itself stay.
	 * @param number the number of the workspace
	 * @return the result, or status 404 if the workspace is not acquired
	 */
	@DeleteOperation
	public WebEndpointResponse<Released> release(@Selector long number) {
		WorkspaceLease lease = find(number);
		if (lease == null) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		int ended = this.sessions.endIn(lease.workspace().id());
		WorkspaceLease left = find(number);
		return new WebEndpointResponse<>(new Released(ended, (left != null) ? left.holders() : 0));
	}

	private @Nullable WorkspaceLease find(long number) {
		return this.provider.leases().stream().filter((lease) -> lease.number() == number).findFirst().orElse(null);
	}

	/**
	 * The workspaces.
	 *
	 * @param workspaces the workspaces
	 */
	public record Workspaces(List<Acquired> workspaces) {

	}

	/**
	 * An acquired workspace.
	 *
	 * @param number a unique number
	 * @param id the id of the workspace
	 * @param kind the kind of the workspace
	 * @param tenant the id of the tenant
	 * @param writable whether its files can be changed
	 * @param holders the number of leases
	 * @param since the time of the first acquire
	 */
	public record Acquired(long number, String id, WorkspaceKind kind, String tenant, boolean writable, int holders,
			Instant since) {

		static Acquired of(WorkspaceLease lease) {
			return new Acquired(lease.number(), lease.workspace().id(), lease.workspace().kind(),
					lease.tenant().tenantId(), lease.workspace().writable(), lease.holders(), lease.since());
		}

	}

	/**
	 * A directory that was added, or was already present.
	 *
	 * @param directory its real path
	 * @param tenant the only tenant with access to it, null for all tenants
	 */
	public record Added(String directory, @Nullable String tenant) {

	}

	/**
	 * The reason that a directory was rejected.
	 *
	 * @param error the code
	 * @param message the problem and its remedy
	 */
	public record Refused(String error, String message) {

	}

	/**
	 * The result of ending the sessions of a workspace.
	 *
	 * @param endedSessions the number of sessions that were ended, or will end after
	 * their last call
	 * @param remainingHolders the number of remaining leases
	 */
	public record Released(int endedSessions, int remainingHolders) {

	}

}
