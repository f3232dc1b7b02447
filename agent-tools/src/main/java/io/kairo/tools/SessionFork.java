package io.kairo.tools;

import java.util.Set;
import java.util.function.Function;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.SessionCommands;
import io.kairo.tools.output.OutputStore;
import io.kairo.tools.output.SessionOutputs;
import io.kairo.tools.session.CommandFiles;

/**
 * A session that goes on from another one in a trial of its own, beside other forks: it
 * has read the same files, and starts in the same directory. What it does counts once it
 * is committed, as a step of the other session. Safe for use by several threads.
 */
public final class SessionFork implements AutoCloseable {

	private final AgentSession session;

	private final SessionOutputs outputs;

	private final SessionCommands commands;

	private final ToolContext context;

	private final Runnable end;

	private SessionFork(AgentSession session, SessionOutputs outputs, SessionCommands commands, ToolContext context,
			Runnable end) {
		this.session = session;
		this.outputs = outputs;
		this.commands = commands;
		this.context = context;
		this.end = end;
	}

	/**
	 * Forks a session.
	 * @param context the context of a call in the session
	 * @param end is run when the fork has ended, or cannot begin
	 */
	static WorkspaceResult<SessionFork> of(ToolContext context, String id, OutputStore outputs,
			BackgroundCommands background, WorkspaceFilesFactory factory, Runnable end) {
		boolean begun = false;
		try {
			AgentSession parent = context.session();
			WorkspaceCheckpoints checkpoints = parent.checkpoints();
			WorkspaceResult<WorkspaceTrial> trial = context.inTrial()
					? WorkspaceResult.failure(WorkspaceErrorCode.CONFLICT,
							"The session is in a trial: commit or discard it before the session is forked")
					: (checkpoints == null)
							? WorkspaceResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE,
									"There can be no trial in this session, so it cannot be forked")
							: checkpoints.trial(context.files(),
									CurrentTrial.overlays(context.sandbox(), parent.tenant(), id));
			begun = trial.isOk();
			return trial.map((opened) -> {
				TenantContext tenant = parent.tenant();
				SessionOutputs own = outputs.open(tenant.tenantId());
				SessionCommands commands = background.open(tenant.tenantId());
				AgentSession fork = parent.fork(id, own, commands, CurrentTrial.ofFork(opened, commands, id));
				OnDemand<WorkspaceFiles> files = new OnDemand<>(
						() -> new CommandFiles(opened.files(factory.open(parent.workspace())), context.sandbox(),
								tenant, id, fork::lastCommand));
				return new SessionFork(fork, own, commands,
						ToolContext.builder(tenant, id, () -> fork, files).sandbox(context.sandbox()).build(), end);
			});
		}
		finally {
			if (!begun) {
				end.run();
			}
		}
	}

	/**
	 * Returns the session of the fork.
	 * @return a session whose id is that of the other one with {@code #} and a number
	 */
	public AgentSession session() {
		return this.session;
	}

	/**
	 * Calls a function in the fork.
	 * @param <T> the type of the outcome
	 * @param work the work; its argument is the builder of a context. The work may add
	 * progress and cancellation
	 * @return the outcome
	 */
	public <T> T inFork(Function<ToolContext.Builder, T> work) {
		return work.apply(this.context.toBuilder());
	}

	/**
	 * Calls a tool in the fork.
	 * @param catalog the tools
	 * @param call the call
	 * @return the result
	 */
	public ToolResult call(ToolCatalog catalog, ToolCall call) {
		return inFork((context) -> catalog.call(call, context.build()));
	}

	/**
	 * Returns what a commit would do.
	 * @return the changes, or a failure
	 */
	public WorkspaceResult<Rewind> changes() {
		return this.session.trial().changes(this.context.files());
	}

	/**
	 * Makes the changes of the fork in the workspace, all or none. Afterwards calls in
	 * the fork can no longer change files.
	 * @param overwritten the entries that are changed even if others changed them
	 * @return the changes; not {@linkplain Rewind#done() done} if others changed the same
	 * entries meanwhile, as another fork that was committed. Or a failure
	 */
	public WorkspaceResult<Rewind> commit(Set<WorkspacePath> overwritten) {
		return this.session.trial().commit(this.context.files(), overwritten);
	}

	/**
	 * Ends the commands of the fork, and discards what was not committed. Does nothing
	 * after the first time.
	 */
	@Override
	public void close() {
		this.commands.close();
		this.session.trial().close();
		this.outputs.close();
		this.end.run();
	}

}
