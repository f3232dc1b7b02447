package io.kairo.tools.output;

import java.io.IOException;
import java.time.Instant;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace plus one kept output of the session, readable and searchable
 * like a file. Safe for use by several threads.
 */
public final class OutputFiles extends ForwardingWorkspaceFiles {

	/**
	 * The prefix of the name of every output. No displayed path of a file starts with it.
	 */
	public static final String PREFIX = "@output/";

	private final @Nullable SessionOutputs outputs;

	private final String name;

	private final WorkspacePath path;

	/**
	 * Adds an output to files.
	 * @param files the files of the workspace
	 * @param outputs the outputs of the session, null if none are kept
	 * @param name the name of the output, starting with {@link #PREFIX}; the output need
	 * not exist
	 */
	public OutputFiles(WorkspaceFiles files, @Nullable SessionOutputs outputs, String name) {
		super(files);
		this.outputs = outputs;
		this.name = name;
		this.path = new WorkspacePath(files.root().root(), PREFIX + "x");
	}

	/**
	 * Returns the path of the output. No argument of a tool resolves to this path.
	 * @return the path
	 */
	public WorkspacePath path() {
		return this.path;
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return path.equals(this.path) ? read(path, 0, 0)
			.map((content) -> new FileInfo(path, FileType.FILE, content.size(), Instant.EPOCH, null, content.version()))
				: super.info(path);
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		if (!path.equals(this.path)) {
			return super.read(path, offset, length);
		}
		String id = this.name.substring(PREFIX.length());
		KeptOutput output = (this.outputs != null) ? this.outputs.find(id) : null;
		if (output == null) {
			return missing();
		}
		try {
			return WorkspaceResult
				.ok(new FileContent(path, output.read(offset, length), offset, output.size(), "output:" + id));
		}
		catch (IOException ex) {
			return missing();
		}
	}

	private WorkspaceResult<FileContent> missing() {
		return WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND,
				"There is no output " + WorkspacePath.quote(this.name)
						+ ((this.outputs != null && this.outputs.isLasting())
								? "; outputs are kept for a while only, by the instances that share a state directory"
								: " in this session; outputs are kept for a while only"));
	}

}
