package io.kairo.workspace.memory;

import java.util.List;
import java.util.TreeMap;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Files and directories by their canonical, case-insensitive paths. The parents of every
 * entry exist. Not safe for use by several threads.
 */
final class MemoryTree {

	private final TreeMap<String, MemoryNode> nodes = new TreeMap<>(WorkspacePath.PATH_COMPARATOR);

	/**
	 * Returns an independent tree with the same entries.
	 */
	MemoryTree copy() {
		MemoryTree copy = new MemoryTree();
		copy.nodes.putAll(this.nodes);
		return copy;
	}

	@Nullable MemoryNode get(String path) {
		return path.isEmpty() ? MemoryNode.directory("") : this.nodes.get(path);
	}

	/**
	 * Returns the entries below a directory, at any depth, in the order of
	 * {@link WorkspacePath#PATH_COMPARATOR}.
	 */
	List<MemoryNode> below(String directory) {
		return directory.isEmpty() ? List.copyOf(this.nodes.values())
				: List.copyOf(this.nodes.subMap(directory + "/", directory + (char) ('/' + 1)).values());
	}

	/**
	 * Returns the nearest file above a path, if there is one.
	 */
	@Nullable MemoryNode fileAbove(String path) {
		for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
			MemoryNode above = this.nodes.get(path.substring(0, slash));
			if (above == null || above.isFile()) {
				return above;
			}
		}
		return null;
	}

	/**
	 * Returns a path in the spelling of its existing entries.
	 */
	String spell(String path) {
		MemoryNode known = this.nodes.get(path);
		if (known != null) {
			return known.path();
		}
		int slash = path.lastIndexOf('/');
		return (slash < 0) ? path : spell(path.substring(0, slash)) + path.substring(slash);
	}

	/**
	 * Adds or replaces a file, and adds its missing parents.
	 */
	void putFile(String path, byte[] content) {
		put(MemoryNode.file(spell(path), content));
	}

	/**
	 * Adds a directory and its missing parents.
	 */
	void putDirectory(String path) {
		if (!path.isEmpty() && !this.nodes.containsKey(path)) {
			put(MemoryNode.directory(spell(path)));
		}
	}

	/**
	 * Adds or replaces an entry, and adds its missing parents.
	 */
	void put(MemoryNode node) {
		int slash = node.path().lastIndexOf('/');
		if (slash > 0) {
			putDirectory(node.path().substring(0, slash));
		}
		this.nodes.remove(node.path()); // a key keeps its first spelling otherwise
		this.nodes.put(node.path(), node);
	}

	/**
	 * Removes an entry with everything below it.
	 */
	void remove(String path) {
		below(path).forEach((node) -> this.nodes.remove(node.path()));
		this.nodes.remove(path);
	}

}
