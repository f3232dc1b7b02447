package io.kairo.autoconfigure.endpoint;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

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
 * Shows the workspaces that are acquired, without their files, and ends the sessions in
 * one. Adds directories to them. Ending and adding need unrestricted access.
 *
 * @since 0.1.0
 */
@Endpoint(id = "kairoworkspaces", defaultAccess = Access.READ_ONLY)
public class WorkspacesEndpoint {

	private final LeasingWorkspaceProvider provider;

	private final AgentSessions sessions;

	private final @Nullable WorkspaceRoots roots;

	/**
	 * Creates the endpoint.
	 * @param provider has the workspaces
	 * @param sessions has the sessions in them
	 * @param roots takes directories, null if there is nothing to add them to
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
	 * Adds a directory to the workspaces of a tenant, or of all, those in use included.
	 * It stays until the application ends.
	 * @param directory the directory
	 * @param tenant the id of the tenant, null for all of them
	 * @return the real path that was added, or why it was not
	 */
	@WriteOperation
	public WebEndpointResponse<Object> add(String directory, @Nullable String tenant) {
		if (this.roots == null) {
			return refused("unknown_provider", "There are no workspaces here that directories can be added to");
		}
		try {
			Path path = Path.of(directory);
			Path added = (tenant != null) ? this.roots.addFor(tenant, path) : this.roots.add(path);
			return new WebEndpointResponse<>(new Added(added.toString(), tenant));
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
	 * Ends the sessions in a workspace, which releases it. A call that runs is not
	 * disturbed: its session ends when it has returned. What the application itself
	 * acquired stays.
	 * @param number its number
	 * @return what was done, or that it is not acquired
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
	 * A workspace that is acquired.
	 *
	 * @param number tells it from every other one
	 * @param id its id
	 * @param kind what backs it
	 * @param tenant who it belongs to
	 * @param writable whether its files may be changed
	 * @param holders how often it is acquired
	 * @param since when it was first acquired
	 */
	public record Acquired(long number, String id, WorkspaceKind kind, String tenant, boolean writable, int holders,
			Instant since) {

		static Acquired of(WorkspaceLease lease) {
			return new Acquired(lease.number(), lease.workspace().id(), lease.workspace().kind(),
					lease.tenant().tenantId(), lease.workspace().writable(), lease.holders(), lease.since());
		}

	}

	/**
	 * A directory that was added, or was there already.
	 *
	 * @param directory its real path
	 * @param tenant the only tenant that has it, null for all
	 */
	public record Added(String directory, @Nullable String tenant) {

	}

	/**
	 * Why a directory was not added.
	 *
	 * @param error the code
	 * @param message what was wrong, and what to do
	 */
	public record Refused(String error, String message) {

	}

	/**
	 * What a release did.
	 *
	 * @param endedSessions how many sessions were ended, or will be after their last call
	 * @param remainingHolders how many still have the workspace
	 */
	public record Released(int endedSessions, int remainingHolders) {

	}

}
