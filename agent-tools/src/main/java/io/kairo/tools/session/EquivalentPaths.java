package io.kairo.tools.session;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PortableName;

/**
 * Paths that are found in every spelling that their store treats as one. The store is
 * asked only about a path that differs from a known one in its spelling alone, so that
 * usual calls pay nothing for it. For use by one thread at a time.
 */
public final class EquivalentPaths {

	/** By the text that all spellings of a path have in common. */
	private final Map<String, Set<WorkspacePath>> paths = new HashMap<>();

	/**
	 * Creates an empty set.
	 */
	public EquivalentPaths() {
	}

	/**
	 * Adds a path.
	 * @param path the path
	 */
	public void add(WorkspacePath path) {
		this.paths.computeIfAbsent(common(path), (common) -> new LinkedHashSet<>(2)).add(path);
	}

	/**
	 * Removes a path.
	 * @param path the path, spelled as it was added
	 */
	public void remove(WorkspacePath path) {
		this.paths.computeIfPresent(common(path), (common, alike) -> {
			alike.remove(path);
			return alike.isEmpty() ? null : alike;
		});
	}

	/**
	 * Returns the original spelling of an added path.
	 * @param path the path
	 * @param files the store that tells whether two spellings are the same path
	 * @return the known spelling, or the path itself if none is known
	 */
	public WorkspacePath known(WorkspacePath path, WorkspaceFiles files) {
		Set<WorkspacePath> alike = this.paths.getOrDefault(common(path), Set.of());
		if (alike.isEmpty() || alike.contains(path)) {
			return path;
		}
		WorkspacePath identity = files.identity(path);
		return alike.stream().filter((other) -> files.identity(other).equals(identity)).findFirst().orElse(path);
	}

	private static String common(WorkspacePath path) {
		return path.root() + "\n" + PortableName.foldFully(path.relative());
	}

}
