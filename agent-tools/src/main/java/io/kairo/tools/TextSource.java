package io.kairo.tools;

import java.io.IOException;
import java.util.Arrays;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.output.KeptOutput;
import io.kairo.tools.output.SessionOutputs;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of a text come from.
 */
@FunctionalInterface
interface TextSource {

	/**
	 * Reads a range, as {@link WorkspaceFiles#read} does.
	 */
	WorkspaceResult<FileContent> read(long offset, int length);

	static TextSource file(WorkspaceFiles files, WorkspacePath path) {
		return (offset, length) -> files.read(path, offset, length);
	}

	/**
	 * Returns the bytes of a file as they were read.
	 */
	static TextSource bytes(WorkspacePath path, WholeFile file) {
		byte[] all = file.bytes();
		return (offset, length) -> {
			int from = (int) Math.min(offset, all.length);
			byte[] part = Arrays.copyOfRange(all, from, from + Math.min(length, all.length - from));
			return WorkspaceResult.ok(new FileContent(path, part, offset, all.length, file.version()));
		};
	}

	/**
	 * Returns an output of the session, which no other session can read.
	 * @param name its name, with {@link ShownPath#OUTPUT} before its id
	 */
	static TextSource output(String name, ToolContext context) {
		return (offset, length) -> {
			SessionOutputs outputs = context.session().outputs();
			String id = name.substring(ShownPath.OUTPUT.length());
			KeptOutput output = (outputs != null) ? outputs.find(id) : null;
			byte[] bytes = (output != null) ? read(output, offset, length) : null;
			if (output == null || bytes == null) {
				return WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND, "There is no output "
						+ WorkspacePath.quote(name) + " in this session; outputs are kept for a while only");
			}
			return WorkspaceResult
				.ok(new FileContent(outputPath(context), bytes, offset, output.size(), "output:" + id));
		};
	}

	/**
	 * Returns the path that stands for an output, whatever its name.
	 */
	static WorkspacePath outputPath(ToolContext context) {
		return new WorkspacePath(context.files().root().root(), ShownPath.OUTPUT + "x");
	}

	private static byte @Nullable [] read(KeptOutput output, long offset, int length) {
		try {
			return output.read(offset, length);
		}
		catch (IOException ex) {
			return null;
		}
	}

}
