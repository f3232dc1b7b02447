package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;

import io.kairo.api.workspace.Workspace;

/**
 * Remembers where the roots of the workspaces that are in use lead. Found out once for a
 * workspace, so that a link that one of its commands puts in the place of a root is not
 * taken for one that was configured when the workspace is opened again. Safe for use by
 * several threads.
 */
final class KnownRoots {

	private final Map<Workspace, Map<Path, Path>> known = new WeakHashMap<>();

	/**
	 * Returns what finds the real paths of the roots of a workspace.
	 */
	UnaryOperator<Path> of(Workspace workspace) {
		return (root) -> {
			synchronized (this.known) {
				return this.known.computeIfAbsent(workspace, (missing) -> new HashMap<>())
					.computeIfAbsent(root, RealPaths::of);
			}
		};
	}

}
