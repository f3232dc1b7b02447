package io.kairo.workspace.local;

import java.util.List;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspacePath;

/**
 * Finds the paths that a single change names.
 */
final class ChangedPaths {

	private ChangedPaths() {
	}

	static List<WorkspacePath> of(WorkspaceChange leaf) {
		if (leaf instanceof WorkspaceChange.Write write) {
			return List.of(write.path());
		}
		if (leaf instanceof WorkspaceChange.CompareExchange exchange) {
			return List.of(exchange.path());
		}
		if (leaf instanceof WorkspaceChange.CreateDirectory create) {
			return List.of(create.path());
		}
		if (leaf instanceof WorkspaceChange.Delete delete) {
			return List.of(delete.path());
		}
		if (leaf instanceof WorkspaceChange.Move move) {
			return List.of(move.path(), move.target());
		}
		if (leaf instanceof WorkspaceChange.Copy copy) {
			return List.of(copy.path(), copy.target());
		}
		throw new IllegalArgumentException("A change of an unknown kind: " + leaf.getClass().getSimpleName());
	}

}
