package io.kairo.tools;

import java.nio.file.Path;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;

/**
 * An empty file store for tests.
 */
public class NoFiles implements WorkspaceFiles {

	@Override
	public WorkspacePath root() {
		return new WorkspacePath(Path.of("").toAbsolutePath(), "");
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		return new WorkspacePath(cwd.root(), WorkspacePath.canonicalize(argument));
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		return missing();
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return missing();
	}

	@Override
	public WorkspaceResult<FileListing> list(WorkspacePath directory, int depth) {
		return missing();
	}

	@Override
	public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
		return missing();
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		return missing();
	}

	private static <T> WorkspaceResult<T> missing() {
		return WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND, "There is no file");
	}

}
