package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * A tree with links on disk together with a plain model in strings that resolves paths.
 * The content of each file is its path.
 */
final class ModelTree {

	private static final int MAX_LINKS = 40;

	/** The entries of each directory. */
	private final Map<String, Map<String, Node>> directories = new HashMap<>();

	private final Path base;

	ModelTree(Path base) {
		this.base = base;
		for (Path path = base; path.getParent() != null; path = path.getParent()) {
			children(path.getParent().toString()).put(path.getFileName().toString(), new Node(Kind.DIRECTORY, ""));
		}
		children(base.toString());
	}

	ModelTree directory(String path) throws IOException {
		TestWorkspaces.directory(this.base.resolve(path));
		add(path, new Node(Kind.DIRECTORY, ""));
		children(this.base + "/" + path);
		return this;
	}

	ModelTree file(String path) throws IOException {
		TestWorkspaces.file(this.base.resolve(path), this.base + "/" + path);
		add(path, new Node(Kind.FILE, ""));
		return this;
	}

	ModelTree fifo(String path) throws Exception {
		TestWorkspaces.fifo(this.base.resolve(path));
		add(path, new Node(Kind.OTHER, ""));
		return this;
	}

	ModelTree link(String path, String target) throws IOException {
		TestWorkspaces.link(this.base.resolve(path), target);
		add(path, new Node(Kind.LINK, target));
		return this;
	}

	private void add(String path, Node node) {
		String parent = this.base.toString();
		String[] names = path.split("/");
		for (String name : Arrays.copyOf(names, names.length - 1)) {
			children(parent).putIfAbsent(name, new Node(Kind.DIRECTORY, ""));
			parent = parent + "/" + name;
		}
		children(parent).putIfAbsent(names[names.length - 1], node);
	}

	private Map<String, Node> children(String directory) {
		return this.directories.computeIfAbsent(directory, (missing) -> new TreeMap<>());
	}

	/**
	 * Returns the names in a directory; none if it does not exist.
	 */
	List<String> names(String directory) {
		return List.copyOf(this.directories.getOrDefault(directory, Map.of()).keySet());
	}

	/**
	 * Returns whether a path without links is inside the tree, whether or not it exists.
	 */
	boolean knows(String physical) {
		return isBelow(physical, this.base.toString());
	}

	/**
	 * Resolves an absolute path.
	 * @param roots the roots that links must not leave; empty for no restriction
	 */
	Found find(String path, List<String> roots, boolean caseInsensitive) {
		return new Search(roots, caseInsensitive).find("/", List.of(path.split("/")));
	}

	static boolean isBelow(String path, String directory) {
		return directory.equals("/") || (path + "/").startsWith(directory + "/");
	}

	static boolean isAlike(String one, String other) {
		return Normalizer.normalize(one, Normalizer.Form.NFC)
			.equalsIgnoreCase(Normalizer.normalize(other, Normalizer.Form.NFC));
	}

	enum Kind {

		FILE, DIRECTORY, OTHER, LINK, MISSING

	}

	private record Node(Kind kind, String target) {

	}

	/**
	 * * A resolved path.
	 *
	 * @param error the code if it leads nowhere
	 * @param physical the path without links, also of what is missing
	 */
	record Found(@Nullable String error, String physical, Kind kind) {

		static Found error(String error) {
			return new Found(error, "", Kind.MISSING);
		}

	}

	private final class Search {

		private final List<String> roots;

		private final boolean caseInsensitive;

		private int links;

		Search(List<String> roots, boolean caseInsensitive) {
			this.roots = roots;
			this.caseInsensitive = caseInsensitive;
		}

		Found find(String start, List<String> names) {
			String here = start;
			for (int i = 0; i < names.size(); i++) {
				String name = names.get(i);
				List<String> rest = names.subList(i + 1, names.size());
				if (name.equals("..")) {
					here = here.substring(0, Math.max(1, here.lastIndexOf('/')));
				}
				else if (!name.isEmpty() && !name.equals(".")) {
					List<String> meant = meant(here, name);
					if (meant.size() > 1) {
						return Found.error("ambiguous_path");
					}
					Found found = meant.isEmpty() ? new Found(null, join(here, List.of(name)), Kind.MISSING)
							: enter(here, meant.get(0));
					if (found.error() != null || rest.isEmpty()) {
						return found;
					}
					if (found.kind() == Kind.MISSING) {
						return new Found(null, join(found.physical(), rest), Kind.MISSING);
					}
					if (found.kind() != Kind.DIRECTORY) {
						return Found.error("not_a_directory");
					}
					here = found.physical();
				}
			}
			return new Found(null, here, Kind.DIRECTORY);
		}

		private List<String> meant(String directory, String name) {
			List<String> names = names(directory);
			if (names.contains(name)) {
				return List.of(name);
			}
			return this.caseInsensitive ? names.stream().filter((other) -> isAlike(other, name)).toList() : List.of();
		}

		private Found enter(String directory, String name) {
			Node node = children(directory).get(name);
			if (node.kind() != Kind.LINK) {
				return new Found(null, join(directory, List.of(name)), node.kind());
			}
			this.links++;
			if (this.links > MAX_LINKS) {
				return Found.error("read_failed");
			}
			String target = node.target();
			Found found = find(target.startsWith("/") ? "/" : directory, List.of(target.split("/")));
			boolean leadsOut = found.error() == null && !this.roots.isEmpty()
					&& this.roots.stream().noneMatch((root) -> isBelow(found.physical(), root));
			return leadsOut ? Found.error("path_traversal_blocked") : found;
		}

		private static String join(String directory, List<String> names) {
			List<String> all = new ArrayList<>(names);
			all.add(0, directory.equals("/") ? "" : directory);
			return String.join("/", all);
		}

	}

}
