package io.kairo.workspace.local.disk;

import java.util.List;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CompareExchange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor.Next;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A call that must not reach files outside of an {@link AttackedTree}.
 */
enum AttackedCall {

	READ, INFO, LIST, WALK, WRITE, CREATE, COMPARE_EXCHANGE, DELETE, DELETE_TREE, MOVE_FROM, MOVE_TO, MOVE_TREE,
	COPY_FROM, COPY_TO, MAKE_DIRECTORY, BATCH;

	/**
	 * Makes the call.
	 * @param files the files of the workspace
	 * @param dir the attacked directory
	 */
	WorkspaceResult<?> make(WorkspaceFiles files, String dir) {
		return switch (this) {
			case READ -> read(files, path(files, dir + "/file"));
			case INFO -> files.info(path(files, dir + "/sub/file"));
			case LIST -> {
				WorkspaceResult<?> listed = files.list(path(files, dir), 3);
				assertThat(listed.toString()).doesNotContain("only-outside");
				yield listed;
			}
			case WALK -> files.walk(path(files, ""), (file) -> {
				byte[] buffer = new byte[100];
				int length = file.read(buffer, 0);
				assertThat(new String(buffer, 0, Math.max(0, length))).isNotEqualTo(AttackedTree.SECRET);
				return Next.CONTINUE;
			});
			default -> files.apply(change(files, dir));
		};
	}

	boolean changes() {
		return compareTo(WALK) > 0;
	}

	private static WorkspaceResult<FileContent> read(WorkspaceFiles files, WorkspacePath path) {
		WorkspaceResult<FileContent> result = files.read(path, 0, 100);
		if (result.isOk()) {
			assertThat(TestWorkspaces.text(result.value().bytes())).isNotEqualTo(AttackedTree.SECRET);
		}
		return result;
	}

	private WorkspaceChange change(WorkspaceFiles files, String dir) {
		WorkspacePath file = path(files, dir + "/file");
		WorkspacePath sub = path(files, dir + "/sub");
		WorkspacePath made = path(files, dir + "/made");
		WorkspacePath moved = path(files, "moved");
		byte[] text = AttackedTree.INSIDE.getBytes();
		return switch (this) {
			case CREATE -> new Write(path(files, dir + "/made/deep/file"), text);
			case COMPARE_EXCHANGE -> new CompareExchange(file, AttackedTree.SECRET.getBytes(), text);
			case DELETE -> new Delete(file);
			case DELETE_TREE -> new Delete(made, Depth.RECURSIVE, null);
			case MOVE_FROM -> new Move(file, moved, Overwrite.REPLACE, null);
			case MOVE_TO -> new Move(moved, file, Overwrite.REPLACE, null);
			case MOVE_TREE -> new Move(sub, path(files, dir + "/made/" + System.nanoTime()));
			case COPY_FROM -> new Copy(file, moved, Overwrite.REPLACE, null);
			case COPY_TO -> new Copy(path(files, "stock"), path(files, dir + "/made/" + System.nanoTime()));
			case MAKE_DIRECTORY -> new CreateDirectory(path(files, dir + "/made/a/b"));
			case BATCH -> new Batch(List.of(new Write(file, text), new Write(path(files, dir + "/sub/file"), text),
					new Write(moved, text), new Delete(made, Depth.RECURSIVE, null), new CreateDirectory(made)));
			default -> new Write(file, text);
		};
	}

	private static WorkspacePath path(WorkspaceFiles files, String relative) {
		return new WorkspacePath(files.root().root(), relative);
	}

}
