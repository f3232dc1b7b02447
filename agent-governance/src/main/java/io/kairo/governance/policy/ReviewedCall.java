package io.kairo.governance.policy;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Change;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.tools.AgentSession;
import io.kairo.tools.CurrentTrial;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolResult;
import io.kairo.tools.checkpoint.TrialTool;
import org.jspecify.annotations.Nullable;

/**
 * A call that is made in a trial of its own. For use by one thread.
 *
 * @param trial the trial
 * @param checkpoints the checkpoints of the session
 * @param context the context of the call in the trial
 */
record ReviewedCall(WorkspaceTrial trial, WorkspaceCheckpoints checkpoints,
		ToolContext context) implements AutoCloseable {

	/** The tools that change nothing but the files of the workspace. */
	private static final Set<String> TOOLS = Set.of("Write", "Edit", "MultiEdit", "ApplyPatch", "Move", "Copy",
			"Delete", "Bash");

	/** Whatever is longer is not asked about. */
	private static final int MAX_CHARACTERS = 2 * ShownCall.MAX_CHARACTERS;

	/**
	 * Returns whether a call can be made in a trial.
	 */
	static boolean isPossible(ToolCall call, @Nullable ToolDefinition tool) {
		// a tool takes more values for true than Java does
		return tool != null && tool.identity() != null && TOOLS.contains(tool.identity()) && "false"
			.equals(String.valueOf(Objects.requireNonNullElse(call.arguments().get("run_in_background"), false)));
	}

	/**
	 * Begins a trial for a call.
	 */
	static WorkspaceResult<ReviewedCall> begin(PolicyVerdict verdict, ToolContext context) {
		if (context.inTrial()) {
			return WorkspaceResult.failure(WorkspaceErrorCode.CONFLICT,
					"The call is tried for review, which is not possible in a trial: commit or discard the trial first");
		}
		WorkspaceCheckpoints checkpoints = context.session().checkpoints();
		if (checkpoints == null) {
			return WorkspaceResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE,
					"The call has to be tried for review, and there can be no trial in this session");
		}
		WorkspaceFiles files = context.files();
		ExecutionSandbox sandbox = verdict.network() ? context.sandbox() : new OfflineSandbox(context.sandbox());
		return checkpoints.trial(files, CurrentTrial.overlays(sandbox, context.tenant(), context.session().id()))
			.map((trial) -> new ReviewedCall(trial, checkpoints,
					context.toBuilder().files(trial.files(files)).sandbox(sandbox).build()));
	}

	/**
	 * Returns what the call changed, to be shown with its result.
	 * @return null if it changed nothing
	 */
	@Nullable ToolResult effect(ToolResult result) {
		WorkspaceResult<Rewind> changes = this.trial.changes(this.context.files());
		if (changes instanceof WorkspaceResult.Failure<Rewind> failure) {
			return ToolResult.failure(failure);
		}
		if (changes.value().changes().isEmpty()) {
			return null;
		}
		ToolResult shown = TrialTool.review(changes.value(), "It would change the workspace: ", MAX_CHARACTERS,
				this.checkpoints, this.context);
		if (changes.value().changes().stream().anyMatch((change) -> change.obstacle() != null)) {
			return ToolResult.failure(WorkspaceErrorCode.CONFLICT.code(), shown.text(),
					"Nothing was changed, since not all of it can be. Call again once that is resolved.");
		}
		return ToolResult.ok(shown.text() + "\n\nIts result in a trial:\n" + result.text(),
				Map.of("changes", changes.value().changes().stream().map(Change::toString).toList()));
	}

	/**
	 * Makes the changes in the workspace.
	 * @return whether they were made, or a failure
	 */
	WorkspaceResult<Boolean> commit() {
		return this.trial.commit(this.context.files(), Set.of()).map(Rewind::done);
	}

	@Override
	public void close() {
		this.trial.close();
		AgentSession session = this.context.session();
		session.currentDirectory(session.currentDirectory()); // it may not exist
	}

}
