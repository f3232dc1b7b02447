package io.kairo.tools;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.background.SessionCommands;
import io.kairo.tools.output.SessionOutputs;
import io.kairo.tools.session.FileTurns;
import io.kairo.tools.session.LargeFiles;
import io.kairo.tools.session.ProcessorTurns;
import org.jspecify.annotations.Nullable;

/**
 * The state that an agent keeps between calls: the workspace, the current directory and
 * the versions of files that it has read. Safe for use by several threads.
 */
public final class AgentSession {

	/** Maximum number of named children; the least recently used one is forgotten. */
	private static final int MAX_CHILDREN = 100;

	private final @Nullable String id;

	private final TenantContext tenant;

	private final Workspace workspace;

	private final SharedResources shared;

	private final ReadLedger ledger;

	private final FileTurns turns;

	private final @Nullable SessionOutputs outputs;

	private final @Nullable SessionCommands commands;

	private final @Nullable WorkspaceCheckpoints checkpoints;

	private final CurrentTrial trial;

	private final Span span;

	/** In the order of the last use; guarded by itself. */
	private final Map<String, AgentSession> children = new LinkedHashMap<>(16, 0.75f, true);

	private volatile CurrentDirectory current;

	/** The last command, as it ran and as it would have in the workspace itself. */
	private volatile List<SandboxRequest> lastCommand = List.of();

	/** The current directory if the application gave it and no call has used it. */
	private volatile @Nullable CurrentDirectory unchecked;

	/**
	 * Creates a session whose current directory is the primary root.
	 * @param id the client's id of the session, null if it has none
	 * @param tenant the owner of the session
	 * @param workspace the workspace of its files
	 */
	public AgentSession(@Nullable String id, TenantContext tenant, Workspace workspace) {
		this(id, tenant, workspace, null);
	}

	/**
	 * Creates a session whose current directory is the primary root.
	 * @param id the client's id of the session, null if it has none
	 * @param tenant the owner of the session
	 * @param workspace the workspace of its files
	 * @param outputs the storage for command output that is too long for a result, null
	 * to keep none; the caller closes it when the session ends
	 */
	public AgentSession(@Nullable String id, TenantContext tenant, Workspace workspace,
			@Nullable SessionOutputs outputs) {
		this(id, tenant, workspace, outputs, null);
	}

	/**
	 * Creates a session whose current directory is the primary root.
	 * @param id the client's id of the session, null if it has none
	 * @param tenant the owner of the session
	 * @param workspace the workspace of its files
	 * @param outputs the storage for command output that is too long for a result, null
	 * to keep none; the caller closes it when the session ends
	 * @param commands the commands in the background, null to allow none; the caller
	 * closes them when the session ends
	 */
	public AgentSession(@Nullable String id, TenantContext tenant, Workspace workspace,
			@Nullable SessionOutputs outputs, @Nullable SessionCommands commands) {
		this(id, tenant, workspace, outputs, commands, null, SharedResources.create());
	}

	/**
	 * Creates a session that shares resources with others.
	 */
	AgentSession(@Nullable String id, TenantContext tenant, Workspace workspace, @Nullable SessionOutputs outputs,
			@Nullable SessionCommands commands, @Nullable WorkspaceCheckpoints checkpoints, SharedResources shared) {
		this(id, tenant, workspace, outputs, commands, checkpoints, shared, new FileTurns(),
				new CurrentTrial(checkpoints, commands), Span.CALLS);
	}

	private AgentSession(@Nullable String id, TenantContext tenant, Workspace workspace,
			@Nullable SessionOutputs outputs, @Nullable SessionCommands commands,
			@Nullable WorkspaceCheckpoints checkpoints, SharedResources shared, FileTurns turns, CurrentTrial trial,
			Span span) {
		this.tenant = Objects.requireNonNull(tenant, "tenant");
		this.shared = shared;
		this.ledger = new ReadLedger(tenant.tenantId(), shared.contents());
		this.turns = turns;
		this.trial = trial;
		this.span = span;
		this.outputs = outputs;
		this.commands = commands;
		this.checkpoints = checkpoints;
		this.id = id;
		this.workspace = Objects.requireNonNull(workspace, "workspace");
		this.current = root();
	}

	/**
	 * Creates a session that ends with one call, for a client without a session.
	 */
	static AgentSession ofOneCall(TenantContext tenant, Workspace workspace, SessionOutputs outputs,
			@Nullable WorkspaceCheckpoints checkpoints, SharedResources shared) {
		return new AgentSession(null, tenant, workspace, outputs, null, checkpoints, shared, new FileTurns(),
				new CurrentTrial(null, null), Span.ONE_CALL);
	}

	/**
	 * Creates a session within this one, for a sub-agent or a background job. It shares
	 * the workspace, the tenant, the outputs, the commands in the background and the
	 * checkpoints, starts in the primary root, and has not read any file. It ends with
	 * this session.
	 * @return a new session without an id
	 */
	public AgentSession child() {
		return newChild(null);
	}

	/**
	 * Returns the session of a sub-agent within this one. It is created like
	 * {@link #child()} on first use, and kept. Of more than 100 names, the least recently
	 * used ones are forgotten and start anew.
	 * @param name the name of the sub-agent
	 * @return the session of this name; its id is this one's, a slash and the name
	 * @throws IllegalArgumentException if the name is blank
	 */
	public AgentSession child(String name) {
		if (name.isBlank()) {
			throw new IllegalArgumentException("The name of the child is blank: give each sub-agent a name");
		}
		synchronized (this.children) {
			AgentSession child = this.children.computeIfAbsent(name,
					(missing) -> newChild((this.id != null) ? this.id + "/" + name : null));
			if (this.children.size() > MAX_CHILDREN) {
				this.children.remove(this.children.keySet().iterator().next());
			}
			return child;
		}
	}

	/**
	 * Creates a session that goes on from this one in a trial.
	 */
	AgentSession fork(String name, SessionOutputs forkOutputs, SessionCommands forkCommands, CurrentTrial forkTrial) {
		AgentSession fork = new AgentSession(name, this.tenant, this.workspace, forkOutputs, forkCommands,
				this.checkpoints, this.shared, new FileTurns(), forkTrial, this.span);
		this.ledger.copyTo(fork.ledger);
		fork.currentDirectory(currentDirectory());
		return fork;
	}

	private AgentSession newChild(@Nullable String childId) {
		return new AgentSession(childId, this.tenant, this.workspace, this.outputs, this.commands, this.checkpoints,
				this.shared, this.turns, this.trial, this.span);
	}

	/**
	 * Returns the client's id of the session.
	 * @return the id, null if it has none
	 */
	public @Nullable String id() {
		return this.id;
	}

	/**
	 * Returns the owner of the session.
	 * @return the tenant
	 */
	public TenantContext tenant() {
		return this.tenant;
	}

	/**
	 * Returns the workspace of the session.
	 * @return the workspace
	 */
	public Workspace workspace() {
		return this.workspace;
	}

	/**
	 * Returns the directory that relative paths start from. Commands start there too,
	 * unless the last one ended outside of the workspace and the tool carries that over.
	 * @return a directory of the workspace
	 */
	public WorkspacePath currentDirectory() {
		return this.current.directory();
	}

	/**
	 * Changes the directory that relative paths and commands start from. If the directory
	 * is not in the workspace, does not exist or is no directory, the next call starts
	 * from the primary root.
	 * @param directory a directory of the workspace, null for the primary root
	 */
	public synchronized void currentDirectory(@Nullable WorkspacePath directory) {
		this.current = (directory != null) ? new CurrentDirectory(directory) : root();
		this.unchecked = this.current;
	}

	/**
	 * Falls back to the primary root if the current directory is not in the workspace, as
	 * its root was taken back, or if it was given and cannot be the current directory.
	 * @param files opens the files of the workspace
	 */
	void settle(Supplier<WorkspaceFiles> files) {
		CurrentDirectory now = this.current;
		if (!now.equals(root())) {
			if (!isUsable(now, files.get())) {
				changeDirectory(now, root());
			}
			this.unchecked = null;
		}
	}

	private boolean isUsable(CurrentDirectory now, WorkspaceFiles files) {
		try {
			files.display(now.directory());
			return !now.equals(this.unchecked)
					|| (files.info(now.directory()) instanceof WorkspaceResult.Ok<FileInfo> info
							&& info.value().type() == FileType.DIRECTORY);
		}
		catch (WorkspacePathException ex) {
			return false;
		}
	}

	private CurrentDirectory root() {
		return new CurrentDirectory(new WorkspacePath(this.workspace.root(), ""));
	}

	/**
	 * Returns the directories that paths and commands start from.
	 * @return both directories
	 */
	public CurrentDirectory current() {
		return this.current;
	}

	/**
	 * Changes the current directory unless another call has changed it in the meantime.
	 * @param from the expected current directory
	 * @param to the new one
	 * @return whether it was changed
	 */
	public synchronized boolean changeDirectory(CurrentDirectory from, CurrentDirectory to) {
		boolean unchanged = this.current.equals(from);
		if (unchanged) {
			this.current = to;
		}
		return unchanged;
	}

	/**
	 * Returns the request of the last command that was started. What it shares with other
	 * commands of the session, a command with the same directories finds.
	 * @param files the files of a call
	 * @return the request; that of the same command in the workspace itself, if it ran in
	 * a trial and these are not the files of it; null if no command was started
	 */
	public @Nullable SandboxRequest lastCommand(WorkspaceFiles files) {
		Path directory = files.location(this.workspace.root());
		SandboxRequest last = null;
		for (SandboxRequest request : this.lastCommand) {
			last = request;
			if (request.workspaceRoot().equals(directory)) {
				break;
			}
		}
		return last;
	}

	/**
	 * Announces that a command was started.
	 * @param request its request
	 * @param inWorkspace the same request, but in the workspace itself; it differs for a
	 * command in a trial
	 */
	public void commandStarted(SandboxRequest request, SandboxRequest inWorkspace) {
		this.lastCommand = List.of(request, inWorkspace);
	}

	/**
	 * Returns the versions of files that the session has seen.
	 * @return the ledger
	 */
	public ReadLedger ledger() {
		return this.ledger;
	}

	/**
	 * Announces that an entry was moved or deleted: files that the session has seen are
	 * known under their new paths, and a current directory in it follows it.
	 * @param from the path it had
	 * @param to its new path, null if it was deleted
	 * @param files the files of the workspace
	 */
	public void moved(WorkspacePath from, @Nullable WorkspacePath to, WorkspaceFiles files) {
		if (to != null) {
			this.ledger.copy(this.ledger.known(from, files), this.ledger.known(to, files));
		}
		this.ledger.forget(this.ledger.known(from, files));
		WorkspacePath directory = this.current.directory();
		if (directory.startsWith(from)) {
			currentDirectory((to != null) ? ReadLedger.moved(directory, from, to) : null);
		}
	}

	/**
	 * Returns the outputs that are kept for the session.
	 * @return the outputs, null if none are kept
	 */
	public @Nullable SessionOutputs outputs() {
		return this.outputs;
	}

	/**
	 * Returns the commands in the background of the session.
	 * @return the commands, null if the session can have none
	 */
	public @Nullable SessionCommands commands() {
		return this.commands;
	}

	/**
	 * Returns what the session, with its children, did to the files of its workspace.
	 * @return the checkpoints, null if nothing is recorded
	 */
	public @Nullable WorkspaceCheckpoints checkpoints() {
		return this.checkpoints;
	}

	/**
	 * Returns the trial that the session, with its children, may be in.
	 * @return the trial, whether open or not
	 */
	public CurrentTrial trial() {
		return this.trial;
	}

	/**
	 * Runs work that changes files while no other call of this session or of one of its
	 * children changes the same files, in any spelling, so that edits that a model
	 * requests concurrently run one after the other instead of failing as outdated.
	 * @param <T> the type of the outcome
	 * @param paths the files that the work changes
	 * @param work the work
	 * @return the outcome
	 */
	public <T> T inTurn(Collection<WorkspacePath> paths, Supplier<T> work) {
		return this.turns.inTurn(paths, work);
	}

	/**
	 * Returns the room for the large files that calls of all sessions hold in memory.
	 * @return the room
	 */
	public LargeFiles largeFiles() {
		return this.shared.largeFiles();
	}

	/**
	 * Returns the turns of long calls of all sessions.
	 */
	ProcessorTurns processorTurns() {
		return this.shared.processorTurns();
	}

	/**
	 * Returns whether the session ends with its only call, so that it remembers nothing
	 * for the next one.
	 * @return true for a client without a session
	 */
	public boolean isForOneCall() {
		return this.span == Span.ONE_CALL;
	}

	/**
	 * The lifetime of a session.
	 */
	private enum Span {

		/** For one call. */
		ONE_CALL,

		/** From call to call. */
		CALLS

	}

}
