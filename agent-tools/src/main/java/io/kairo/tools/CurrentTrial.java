package io.kairo.tools;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.tools.background.SessionCommands;
import org.jspecify.annotations.Nullable;

/**
 * The trial that a session, with its children, is in: while there is one, calls that
 * begin use its files, and commands run in it. Safe for use by several threads.
 */
public final class CurrentTrial implements AutoCloseable {

	private final @Nullable WorkspaceCheckpoints checkpoints;

	private final @Nullable SessionCommands commands;

	/** Whether there is no session without the trial. */
	private final boolean forked;

	/**
	 * Held while the trial is committed or discarded, so that only one of them is done.
	 */
	private final ReentrantLock ending = new ReentrantLock();

	private @Nullable WorkspaceTrial trial;

	/** The id of the session that began the trial; only its commands find an overlay. */
	private @Nullable String session;

	private boolean closed;

	CurrentTrial(@Nullable WorkspaceCheckpoints checkpoints, @Nullable SessionCommands commands) {
		this(checkpoints, commands, null, null);
	}

	private CurrentTrial(@Nullable WorkspaceCheckpoints checkpoints, @Nullable SessionCommands commands,
			@Nullable WorkspaceTrial trial, @Nullable String session) {
		this.checkpoints = checkpoints;
		this.commands = commands;
		this.trial = trial;
		this.session = session;
		this.forked = trial != null;
	}

	/**
	 * Creates the trial of a fork, whose files cannot be changed after its end.
	 */
	static CurrentTrial ofFork(WorkspaceTrial trial, SessionCommands commands, String session) {
		return new CurrentTrial(null, commands, trial, session);
	}

	/**
	 * Returns whether the session is in a trial.
	 * @return true until it is committed or discarded
	 */
	public synchronized boolean isOpen() {
		return this.trial != null;
	}

	/**
	 * Returns the refusal of a tool that works on the workspace itself.
	 * @return a failure with {@code conflict}
	 */
	public static ToolResult refusal() {
		return ToolResult.failure(WorkspaceErrorCode.CONFLICT.code(),
				"A trial is open, and this tool does not work in one.", "Commit or discard the trial first.");
	}

	/**
	 * Begins a trial. Commands that run in the background go on in the workspace itself.
	 * @param context the context of a call in the session
	 * @return a context for the rest of the call in the trial; or a failure, as of
	 * {@link WorkspaceCheckpoints#trial(WorkspaceFiles)} or with {@code conflict} if the
	 * session is in a trial
	 */
	public synchronized WorkspaceResult<ToolContext> begin(ToolContext context) {
		if (this.trial != null || context.inTrial()) {
			return WorkspaceResult.failure(WorkspaceErrorCode.CONFLICT,
					"A trial is open already: commit or discard it before another one");
		}
		if (this.checkpoints == null || this.closed || context.session().isForOneCall()) {
			return WorkspaceResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE,
					"There can be no trial in this session: call a tool that changes files directly");
		}
		WorkspaceFiles files = context.files();
		String session = context.session().id();
		WorkspaceResult<WorkspaceTrial> begun = this.checkpoints.trial(files,
				overlays(context.sandbox(), context.tenant(), session));
		return begun.map((opened) -> {
			this.trial = opened;
			this.session = session;
			return context.toBuilder().files(opened.files(files)).build();
		});
	}

	/**
	 * Returns the overlays that a sandbox mounts for trials.
	 * @param sandbox the sandbox that runs the commands of the trial
	 * @param tenant the owner of the session that they run in
	 * @param sessionId the id of that session, null if it has none
	 * @return the overlays
	 */
	public static TrialOverlays overlays(ExecutionSandbox sandbox, TenantContext tenant, @Nullable String sessionId) {
		return (sessionId == null) ? TrialOverlays.NONE
				: (lower, layer) -> sandbox.overlay(tenant, sessionId, lower, layer);
	}

	/**
	 * Returns the id of the session that the commands of a call belong to in the sandbox.
	 * @param context the context of a call in the session or in one of its children
	 * @return the session that began the trial of the call; otherwise its own, null if it
	 * has no id
	 */
	public @Nullable String sessionOf(ToolContext context) {
		return sessionId(context.inTrial(), context.session().id());
	}

	/**
	 * Returns the id of the session that commands belong to in the sandbox.
	 * @param inTrial whether they are in the trial
	 * @param own the id of their own session, null if it has none
	 */
	synchronized @Nullable String sessionId(boolean inTrial, @Nullable String own) {
		return (inTrial && this.trial != null) ? this.session : own;
	}

	/**
	 * Returns the files of a call that begins now.
	 * @param files the files of the workspace
	 * @return the files of the trial; null if the session is in none
	 */
	synchronized @Nullable WorkspaceFiles files(WorkspaceFiles files) {
		return (this.trial != null) ? this.trial.files(files) : null;
	}

	/**
	 * Returns what is left out of the copy, since the application may not read it.
	 * @return the files, and the directories with everything in them; empty without a
	 * trial
	 */
	public List<WorkspacePath> leftOut() {
		WorkspaceTrial open = open();
		return (open != null) ? open.leftOut() : List.of();
	}

	/**
	 * Returns what a commit would do.
	 * @param files the files of a call, which may have begun before the trial
	 * @return the changes, or a failure
	 */
	public WorkspaceResult<Rewind> changes(WorkspaceFiles files) {
		WorkspaceTrial open = open();
		return (open != null) ? open.changes(files(open, files)) : none();
	}

	/**
	 * Commits the trial.
	 * @param files the files of a call, which may have begun before the trial
	 * @param overwritten the entries that are changed even if others changed them
	 * @return the changes, or a failure; the trial goes on unless they are
	 * {@linkplain Rewind#done() done}
	 */
	public WorkspaceResult<Rewind> commit(WorkspaceFiles files, Set<WorkspacePath> overwritten) {
		this.ending.lock();
		try {
			WorkspaceTrial open = open();
			WorkspaceResult<Rewind> committed = (open != null) ? open.commit(files(open, files), overwritten) : none();
			if (committed.isOk() && committed.value().done()) {
				ended(open);
			}
			return committed;
		}
		finally {
			this.ending.unlock();
		}
	}

	/**
	 * Ends the commands in the trial, and discards it.
	 * @param context the context of a call, which may have begun before the trial
	 * @return whether there was one
	 */
	public boolean discard(ToolContext context) {
		this.ending.lock();
		try {
			WorkspaceTrial open = open();
			if (open != null) {
				WorkspaceFiles files = files(open, context.files());
				Path directory = files.location(files.root().root());
				ended(open);
				end(directory);
				open.close();
				end(directory); // one may have begun meanwhile
				AgentSession session = context.session();
				session.currentDirectory(session.currentDirectory()); // it may not exist
			}
			return open != null;
		}
		finally {
			this.ending.unlock();
		}
	}

	/**
	 * Returns the files of a trial, whether the call began before it, in it or in an
	 * earlier one.
	 */
	private static WorkspaceFiles files(WorkspaceTrial open, WorkspaceFiles files) {
		return open.files(Objects.requireNonNullElse(files.relocated(Map.of()), files));
	}

	private void end(Path directory) {
		if (this.commands != null) {
			this.commands.end(directory);
		}
	}

	private synchronized @Nullable WorkspaceTrial open() {
		return this.trial;
	}

	private synchronized void ended(@Nullable WorkspaceTrial open) {
		if (!this.forked && Objects.equals(this.trial, open)) {
			this.trial = null;
		}
	}

	private static WorkspaceResult<Rewind> none() {
		return WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND, "There is no trial: begin one");
	}

	/**
	 * Discards the trial, if there is one, and begins no more. Its commands should have
	 * ended.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		if (this.trial != null) {
			this.trial.close();
			ended(this.trial);
		}
	}

}
