package io.kairo.api.workspace.tck;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspacePath;

/**
 * Factory methods for changes.
 */
final class Changes {

	private Changes() {
	}

	/**
	 * Creates one change of each kind, including a batch.
	 * @param path the path of the changes
	 * @param target the target of moves and copies
	 */
	static Stream<WorkspaceChange> ofEveryKind(WorkspacePath path, WorkspacePath target) {
		List<WorkspaceChange> single = List.of(write(path, "new"), exchange(path, "alpha", "new"),
				new WorkspaceChange.CreateDirectory(path), new WorkspaceChange.Delete(path), recursive(path),
				new WorkspaceChange.Move(path, target), new WorkspaceChange.Copy(path, target));
		return Stream.concat(single.stream(), single.stream().map((change) -> batch(change)));
	}

	static WorkspaceChange.Write write(WorkspacePath path, String text) {
		return new WorkspaceChange.Write(path, utf8(text));
	}

	static WorkspaceChange.Write write(WorkspacePath path, String text, String expectedVersion) {
		return new WorkspaceChange.Write(path, utf8(text), expectedVersion);
	}

	static WorkspaceChange.CompareExchange exchange(WorkspacePath path, String expected, String text) {
		return new WorkspaceChange.CompareExchange(path, utf8(expected), utf8(text));
	}

	static WorkspaceChange.Delete recursive(WorkspacePath path) {
		return new WorkspaceChange.Delete(path, Depth.RECURSIVE, null);
	}

	static WorkspaceChange.Move moveOver(WorkspacePath path, WorkspacePath target) {
		return new WorkspaceChange.Move(path, target, Overwrite.REPLACE, null);
	}

	static WorkspaceChange.Copy copyOver(WorkspacePath path, WorkspacePath target) {
		return new WorkspaceChange.Copy(path, target, Overwrite.REPLACE, null);
	}

	static WorkspaceChange.Batch batch(WorkspaceChange... changes) {
		return new WorkspaceChange.Batch(List.of(changes));
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
