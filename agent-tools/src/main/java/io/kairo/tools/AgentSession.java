package io.kairo.tools;

import java.util.Objects;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.output.SessionOutputs;
import org.jspecify.annotations.Nullable;

/**
 * What lasts from one call of an agent to the next: the workspace, the current directory
 * and what was read. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class AgentSession {

	private final @Nullable String id;

	private final TenantContext tenant;

	private final Workspace workspace;

	private final ReadLedger ledger = new ReadLedger();

	private final FileTurns turns = new FileTurns();

	private final @Nullable SessionOutputs outputs;

	private volatile WorkspacePath currentDirectory;

	/**
	 * Creates a session whose current directory is the primary root.
	 * @param id the client's id of the session, null if it has none
	 * @param tenant who the session belongs to
	 * @param workspace where its files are
	 */
	public AgentSession(@Nullable String id, TenantContext tenant, Workspace workspace) {
		this(id, tenant, workspace, null);
	}

	/**
	 * Creates a session whose current directory is the primary root.
	 * @param id the client's id of the session, null if it has none
	 * @param tenant who the session belongs to
	 * @param workspace where its files are
	 * @param outputs keeps the outputs of its commands that are too long for a result,
	 * null if they are not kept; whoever opened it closes it when the session ends
	 */
	public AgentSession(@Nullable String id, TenantContext tenant, Workspace workspace,
			@Nullable SessionOutputs outputs) {
		this.outputs = outputs;
		this.id = id;
		this.tenant = Objects.requireNonNull(tenant, "tenant");
		this.workspace = Objects.requireNonNull(workspace, "workspace");
		this.currentDirectory = new WorkspacePath(workspace.root(), "");
	}

	/**
	 * Returns the client's id of the session.
	 * @return the id, null if it has none
	 */
	public @Nullable String id() {
		return this.id;
	}

	/**
	 * Returns who the session belongs to.
	 * @return the tenant
	 */
	public TenantContext tenant() {
		return this.tenant;
	}

	/**
	 * Returns where the files of the session are.
	 * @return the workspace
	 */
	public Workspace workspace() {
		return this.workspace;
	}

	/**
	 * Returns the directory that relative paths and commands start from.
	 * @return a directory of the workspace
	 */
	public WorkspacePath currentDirectory() {
		return this.currentDirectory;
	}

	/**
	 * Changes the directory that relative paths and commands start from.
	 * @param directory a path that passed the gate of the workspace
	 */
	public synchronized void currentDirectory(WorkspacePath directory) {
		this.currentDirectory = Objects.requireNonNull(directory, "directory");
	}

	/**
	 * Changes the current directory unless another call has changed it meanwhile.
	 * @param from the current directory that the caller knows
	 * @param to a path that passed the gate of the workspace
	 * @return false if it was another one
	 */
	synchronized boolean changeDirectory(WorkspacePath from, WorkspacePath to) {
		boolean unchanged = this.currentDirectory.equals(from);
		if (unchanged) {
			this.currentDirectory = to;
		}
		return unchanged;
	}

	/**
	 * Returns what was read.
	 * @return the ledger of this session
	 */
	public ReadLedger ledger() {
		return this.ledger;
	}

	/**
	 * Returns the outputs that are kept for the session.
	 * @return the outputs, null if none are kept
	 */
	@Nullable SessionOutputs outputs() {
		return this.outputs;
	}

	/**
	 * Returns who may change which file now.
	 */
	FileTurns turns() {
		return this.turns;
	}

}
