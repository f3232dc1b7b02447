package io.kairo.workspace.local.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.kairo.workspace.local.RealPaths;
import org.jspecify.annotations.Nullable;

/**
 * Linked worktrees and submodules of Git.
 */
public final class LinkedCheckouts {

	private static final String LINK = "gitdir: ";

	private static final int MAX_LINK = 8192;

	private LinkedCheckouts() {
	}

	/**
	 * Returns the roots whose repository is in no root, so that confined commands do not
	 * find it.
	 * @param roots the roots of a workspace
	 * @return the repositories by the roots, empty if there are none
	 */
	public static Map<Path, Path> among(List<Path> roots) {
		List<Path> real = roots.stream().map(RealPaths::of).toList();
		Map<Path, Path> found = new TreeMap<>();
		for (Path root : real) {
			Path repository = repository(root);
			if (repository != null && real.stream().noneMatch(repository::startsWith)) {
				found.put(root, repository);
			}
		}
		return found;
	}

	private static @Nullable Path repository(Path root) {
		Path link = root.resolve(".git");
		try {
			String text = (Files.isRegularFile(link) && Files.size(link) <= MAX_LINK) ? Files.readString(link) : "";
			return text.startsWith(LINK) ? RealPaths.of(root.resolve(text.substring(LINK.length()).strip())) : null;
		}
		catch (IOException | InvalidPathException ex) {
			return null;
		}
	}

}
