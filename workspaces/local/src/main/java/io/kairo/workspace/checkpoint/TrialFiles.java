package io.kairo.workspace.checkpoint;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import org.jspecify.annotations.Nullable;

/**
 * The files of a trial, which cannot be changed after its end.
 */
final class TrialFiles extends ForwardingWorkspaceFiles {

	private final SessionTrial trial;

	/** The files of the workspace. */
	private final WorkspaceFiles workspace;

	TrialFiles(SessionTrial trial, WorkspaceFiles relocated, WorkspaceFiles workspace) {
		super(relocated);
		this.trial = trial;
		this.workspace = workspace;
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		return this.trial.change(() -> delegate().apply(change));
	}

	@Override
	public @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
		return directories.isEmpty() ? this.workspace : this.workspace.relocated(directories);
	}

}
