package io.kairo.workspace.task;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.WorkspaceIds;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;

/**
 * Provides the workspaces of an {@link AgentTree}. A hint is the id of an agent, with an
 * optional prefix {@code task:}; the default is the agent in
 * {@link TenantContext#ATTR_AGENT_ID}. The workspace belongs to the agent or to its
 * nearest ancestor with one, in the directory {@code workspaces/<id>} below the data
 * directory.
 * <p>
 * The directory of a workspace is created by the first change through the files of
 * {@link #files}, not by acquiring or reading. Nothing is removed on release. The id is
 * {@code task:} and the id of the workspace, with {@code #} and the tenant appended when
 * that is not the default one, and {@code #ro} when the workspace may only be read. After
 * {@link AgentTree#assignWorkspace assigning} another directory, the next acquired
 * workspace is there; one with the previous directory keeps it until it is released, and
 * until then {@code ##} and a number are appended to the id of the new one. Safe for use
 * by several threads.
 */
public final class TaskWorkspaceProvider implements WorkspaceProvider {

	private static final String SCHEME = "task";

	private final AgentTree tree;

	private final TaskDirectories directories;

	/** Returns the factory of the files below the data directory. */
	private final Function<LocalWorkspaceFilesFactory, WorkspaceFilesFactory> opening;

	private final boolean writable;

	private final ConcurrentMap<Key, Workspace> workspaces = new ConcurrentHashMap<>();

	/**
	 * Creates a provider. Tenants other than the default one have their workspaces in
	 * separate directories, at {@code tenants} below the data directory.
	 * @param tree the agents
	 * @param dataDirectory the directory of the workspaces; need not exist
	 */
	public TaskWorkspaceProvider(AgentTree tree, Path dataDirectory) {
		this(tree, TaskDirectories.in(dataDirectory.toAbsolutePath().normalize()),
				(files) -> files.below(dataDirectory, PathPolicy.RELATIVE_ONLY), true);
	}

	/**
	 * Creates a provider that keeps tenants apart as configured. Without the segment
	 * {@code {tenant}}, only the default tenant is accepted.
	 * @param tree the agents
	 * @param dataDirectory the directory of the workspaces
	 * @param defaultTenant the tenant that may use a data directory without the segment
	 */
	public TaskWorkspaceProvider(AgentTree tree, RootTemplate dataDirectory, String defaultTenant) {
		this(tree, TaskDirectories.of(dataDirectory, defaultTenant),
				(files) -> files.below(dataDirectory, PathPolicy.RELATIVE_ONLY), true);
	}

	private TaskWorkspaceProvider(AgentTree tree, TaskDirectories directories,
			Function<LocalWorkspaceFilesFactory, WorkspaceFilesFactory> opening, boolean writable) {
		this.tree = Objects.requireNonNull(tree, "tree");
		this.directories = directories;
		this.opening = opening;
		this.writable = writable;
		tree.confine(directories);
	}

	/**
	 * Returns a provider of the same workspaces, always read-only regardless of the
	 * request.
	 * @return another provider
	 */
	public TaskWorkspaceProvider readOnly() {
		return new TaskWorkspaceProvider(this.tree, this.directories, this.opening, false);
	}

	/**
	 * Returns the factory of the files of the workspaces, with
	 * {@link PathPolicy#RELATIVE_ONLY}. The first change creates the directory without
	 * following any link below the data directory.
	 * @param files the factory for files on this machine, whose state and locks are used
	 * @return a factory for the workspaces of this provider
	 */
	public WorkspaceFilesFactory files(LocalWorkspaceFilesFactory files) {
		return this.opening.apply(files);
	}

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		TenantContext tenant = request.tenant();
		String id = this.tree.workspaceOf(tenant, agent(request));
		Key key = new Key(tenant.tenantId(), id, directory(tenant, id), this.writable && request.writable());
		Workspace known = this.workspaces.get(key);
		return (known != null) ? known : add(key);
	}

	private synchronized Workspace add(Key key) {
		return this.workspaces.computeIfAbsent(key, (missing) -> {
			String id = missing.id();
			for (int number = 2; isTaken(id); number++) {
				id = missing.id() + "##" + number;
			}
			return new TaskWorkspace(id, missing.directory(), missing.writable());
		});
	}

	private boolean isTaken(String id) {
		return this.workspaces.values().stream().anyMatch((workspace) -> workspace.id().equals(id));
	}

	/**
	 * Finds the workspace that an agent has itself, and looks whether its directory
	 * exists.
	 * @param tenant the tenant of the agent
	 * @param workspaceId any text
	 * @return the record with its directory, null if there is no such workspace
	 * @throws WorkspacePathException if the tenant has no data directory
	 * ({@code workspace_not_assigned}), or the assigned directory is not below it
	 * ({@code invalid_path})
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public @Nullable TaskWorkspaceRecord find(TenantContext tenant, String workspaceId) {
		TaskWorkspaceRecord known = this.tree.workspace(tenant, workspaceId);
		if (known == null) {
			return null;
		}
		Path directory = directory(tenant, known);
		return new TaskWorkspaceRecord(workspaceId, directory, known.createdAt(),
				Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS));
	}

	private Path directory(TenantContext tenant, String workspaceId) {
		TaskWorkspaceRecord known = this.tree.workspace(tenant, workspaceId);
		if (known == null) {
			throw AgentTree.notAssigned(workspaceId, "it was removed");
		}
		return directory(tenant, known);
	}

	private Path directory(TenantContext tenant, TaskWorkspaceRecord known) {
		Path data = this.directories.of(tenant.tenantId());
		Path assigned = known.workspacePath();
		if (assigned == null) {
			return data.resolve("workspaces").resolve(known.workspaceId());
		}
		if (TaskDirectories.isUsable(data, assigned)) {
			return assigned;
		}
		throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
				"The directory that is assigned to the agent " + WorkspacePath.quote(known.workspaceId())
						+ " is not below the data directory of its tenant: the application has to assign one "
						+ "that is");
	}

	@Override
	public void release(@Nullable String workspaceId) {
		if (workspaceId != null) {
			this.workspaces.values().removeIf((workspace) -> workspace.id().equals(workspaceId));
		}
	}

	private static String agent(WorkspaceRequest request) {
		WorkspaceHint hint = WorkspaceHint.parse(request.hint());
		String named = hint.without(SCHEME);
		String agent = named.isBlank() ? request.tenant().attributes().get(TenantContext.ATTR_AGENT_ID) : named;
		if (agent == null || agent.isBlank()) {
			throw new WorkspacePathException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
					"The hint " + WorkspacePath.quote(hint.toString())
							+ " names no agent: the application binds the attribute " + TenantContext.ATTR_AGENT_ID
							+ " to the tenant context of the call");
		}
		if (!PortableName.is(agent)) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The agent id " + WorkspacePath.quote(agent) + " cannot be used: an id needs " + PortableName.RULE);
		}
		return agent;
	}

	/**
	 * The identity of a workspace. Requests with equal keys denote the same workspace.
	 */
	private record Key(String tenant, String workspace, Path directory, boolean writable) {

		String id() {
			return WorkspaceIds.of(SCHEME, this.workspace, this.tenant, this.writable);
		}

	}

	/**
	 * The workspace of an agent and its descendants.
	 */
	private record TaskWorkspace(String id, Path root, boolean writable) implements Workspace {

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.TASK;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}
