package io.kairo.tools;

import java.time.Instant;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;

/**
 * The files of a workspace and one output of the session beside them, so that what works
 * on a file works on an output.
 */
final class OutputFiles extends ForwardingWorkspaceFiles {

	private final TextSource output;

	private final WorkspacePath path;

	/**
	 * Adds an output.
	 * @param name its name, with {@link ShownPath#OUTPUT} before its id; there need not
	 * be one
	 */
	OutputFiles(String name, ToolContext context) {
		super(context.files());
		this.output = TextSource.output(name, context);
		this.path = TextSource.outputPath(context);
	}

	/**
	 * Returns where the output is; no other path leads to it.
	 */
	WorkspacePath path() {
		return this.path;
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return path.equals(this.path) ? this.output.read(0, 0)
			.map((content) -> new FileInfo(path, FileType.FILE, content.size(), Instant.EPOCH, null, content.version()))
				: super.info(path);
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		return path.equals(this.path) ? this.output.read(offset, length) : super.read(path, offset, length);
	}

}
