package io.kairo.workspace.local.disk;

import java.util.List;

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

/**
 * A change of each kind, in a {@link CrashFixture}.
 */
enum AnyChange {

	WRITE, CREATE, EXCHANGE, DIRECTORY, DELETE, DELETE_TREE, MOVE, MOVE_OVER, COPY_TREE, BATCH;

	WorkspaceChange make(CrashFixture test) {
		return switch (this) {
			case WRITE -> new Write(test.path("file"), CrashFixture.bytes("new"));
			case CREATE -> new Write(test.path("a/b/file"), CrashFixture.bytes("new"));
			case EXCHANGE ->
				new CompareExchange(test.path("file"), CrashFixture.bytes("old"), CrashFixture.bytes("new"));
			case DIRECTORY -> new CreateDirectory(test.path("a"));
			case DELETE -> new Delete(test.path("file"));
			case DELETE_TREE -> new Delete(test.path("dir"), Depth.RECURSIVE, null);
			case MOVE -> new Move(test.path("dir"), test.path("a/dir"));
			case MOVE_OVER -> new Move(test.path("file"), test.path("other"), Overwrite.REPLACE, null);
			case COPY_TREE -> new Copy(test.path("dir"), test.path("a/copy"));
			case BATCH -> new Batch(List.of(new Write(test.path("file"), CrashFixture.bytes("new")),
					new Write(test.path("file"), CrashFixture.bytes("newer")),
					new Write(test.path("a/b"), CrashFixture.bytes("b")),
					new Write(test.path("a/b"), CrashFixture.bytes("bb")),
					new Move(test.path("other"), test.path("file"), Overwrite.REPLACE, null),
					new Delete(test.path("dir"), Depth.RECURSIVE, null),
					new Write(test.path("dir/file"), CrashFixture.bytes("again")),
					new Copy(test.path("file"), test.path("other")), new Move(test.path("a"), test.path("c"))));
		};
	}

}
