package io.kairo.tools.edit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * A tree of files and directories in memory with a trash, as the tools should change it.
 * Each change returns false, and changes nothing, where the tool should refuse it.
 */
final class ModelTree {

	private final TreeMap<String, RandomText> files;

	private final TreeSet<String> directories;

	private final List<Removed> trash;

	ModelTree() {
		this(Map.of(), Set.of(), List.of());
	}

	private ModelTree(Map<String, RandomText> files, Set<String> directories, List<Removed> trash) {
		this.files = new TreeMap<>(files);
		this.directories = new TreeSet<>(directories);
		this.trash = new ArrayList<>(trash);
	}

	ModelTree copy() {
		return new ModelTree(this.files, this.directories, this.trash);
	}

	Map<String, RandomText> files() {
		return this.files;
	}

	/**
	 * Returns the entries, as the test reads them from a store.
	 */
	Map<String, String> entries() {
		Map<String, String> entries = new TreeMap<>();
		this.directories.forEach((path) -> entries.put(path, "directory"));
		this.files.forEach(
				(path, text) -> entries.put(path, "file " + new String(text.bytes(), StandardCharsets.ISO_8859_1)));
		return entries;
	}

	boolean isDirectory(String path) {
		return this.directories.contains(path);
	}

	private boolean exists(String path) {
		return this.files.containsKey(path) || this.directories.contains(path);
	}

	private static boolean isWithin(String path, String directory) {
		return path.equals(directory) || path.startsWith(directory + "/");
	}

	/**
	 * Replaces the files by those of a patch, with the directories above them.
	 */
	void replace(Map<String, RandomText> changed) {
		this.files.clear();
		changed.forEach(this::add);
	}

	boolean add(String path, RandomText text) {
		if (exists(path) || !addAbove(path)) {
			return false;
		}
		this.files.put(path, text);
		return true;
	}

	/**
	 * Adds the directories above a path, unless one of them is a file.
	 */
	private boolean addAbove(String path) {
		List<String> above = new ArrayList<>();
		for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
			above.add(path.substring(0, end));
		}
		boolean possible = above.stream().noneMatch(this.files::containsKey);
		if (possible) {
			this.directories.addAll(above);
		}
		return possible;
	}

	boolean relocate(String source, String target, boolean overwrite, boolean keep) {
		if (!exists(source) || isWithin(target, source) || this.directories.contains(target)) {
			return false;
		}
		boolean replaces = this.files.containsKey(target);
		if ((replaces && !(overwrite && this.files.containsKey(source))) || !addAbove(target)) {
			return false;
		}
		Removed moved = take(source, keep);
		put(moved, target);
		return true;
	}

	boolean delete(String path, boolean recursive) {
		boolean full = this.directories.contains(path)
				&& entries().keySet().stream().anyMatch((each) -> !each.equals(path) && isWithin(each, path));
		if (!exists(path) || (full && !recursive)) {
			return false;
		}
		this.trash.add(take(path, false));
		return true;
	}

	boolean undelete(String path) {
		for (int i = this.trash.size() - 1; i >= 0; i--) {
			Removed removed = this.trash.get(i);
			if (removed.path().equals(path)) {
				if (exists(path) || !addAbove(path)) {
					return false;
				}
				put(removed, path);
				this.trash.remove(i);
				return true;
			}
		}
		return false;
	}

	@Nullable String removedPath(int number) {
		return this.trash.isEmpty() ? null : this.trash.get(number % this.trash.size()).path();
	}

	private Removed take(String path, boolean keep) {
		Map<String, RandomText> taken = new HashMap<>();
		Set<String> directories = new TreeSet<>();
		for (String each : List.copyOf(this.directories)) {
			if (isWithin(each, path)) {
				directories.add(each.substring(path.length()));
			}
		}
		for (String each : List.copyOf(this.files.keySet())) {
			if (isWithin(each, path)) {
				taken.put(each.substring(path.length()), this.files.get(each));
			}
		}
		if (!keep) {
			this.directories.removeIf((each) -> isWithin(each, path));
			this.files.keySet().removeIf((each) -> isWithin(each, path));
		}
		return new Removed(path, taken, directories);
	}

	private void put(Removed removed, String path) {
		removed.directories().forEach((each) -> this.directories.add(path + each));
		removed.files().forEach((each, text) -> this.files.put(path + each, text));
	}

	/**
	 * An entry with everything in it.
	 *
	 * @param path its path
	 * @param files the files, by their paths below it
	 * @param directories the paths of the directories below it
	 */
	private record Removed(String path, Map<String, RandomText> files, Set<String> directories) {

	}

}
