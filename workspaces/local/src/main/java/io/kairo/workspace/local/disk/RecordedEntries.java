package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Opens the entries recorded in lines of a journal, without following links.
 *
 * @param opener opens the directories that the paths begin in
 * @param roots the real paths of the directories that contain the entries, regardless of
 * the lines; null for lines that this process has recorded
 */
record RecordedEntries(DirectoryOpener opener, @Nullable List<Path> roots) {

	/**
	 * Returns whether all entries of a line are inside the roots.
	 * @throws IllegalArgumentException if the line does not name paths
	 */
	boolean contain(JournalRecord line) {
		return entries(line).stream().allMatch((field) -> root(line.path(field + 1)) != null);
	}

	/**
	 * Returns whether the directories of all entries of a line have been removed.
	 * @throws IllegalArgumentException if the line does not name paths
	 */
	static boolean areGone(JournalRecord line) {
		return entries(line).stream()
			.map((field) -> line.path(field + 1).resolveSibling(""))
			.allMatch((directory) -> Files.notExists(directory, LinkOption.NOFOLLOW_LINKS));
	}

	/**
	 * Returns the indexes of the first fields of the entries of a line.
	 */
	private static List<Integer> entries(JournalRecord line) {
		return switch (line.fields().size()) {
			case 0 -> List.of();
			case 7 -> List.of(0, 4);
			default -> List.of(0);
		};
	}

	private @Nullable Path root(Path path) {
		if (this.roots == null || !path.equals(path.normalize())) {
			return null;
		}
		return this.roots.stream()
			.filter((root) -> path.startsWith(root) && !path.equals(root))
			.max(Comparator.comparingInt(Path::getNameCount))
			.orElse(null);
	}

	/**
	 * Opens the directory of an entry.
	 * @param line the line
	 * @param field index of the first field of the entry
	 * @return the entry, whose directory is to be closed by the caller
	 */
	EntryRef open(JournalRecord line, int field) throws IOException {
		Path base = line.path(field);
		Path path = line.path(field + 1);
		if (!path.startsWith(base) || path.equals(base)) {
			throw new NoSuchFileException("base");
		}
		if (this.roots != null) {
			Path root = root(path);
			if (root == null) {
				throw new IOException("An entry of the journal is outside of the workspace");
			}
			// the directories between the root and a base inside it may have changed
			base = root.startsWith(base) ? base : root;
		}
		OpenDirectory current = this.opener.open(base);
		for (Path name : base.relativize(path.getParent())) {
			if (!name.toString().isEmpty()) {
				try (OpenDirectory above = current) {
					current = above.directory(name);
				}
			}
		}
		return new EntryRef(current, path.getFileName());
	}

	/**
	 * Removes the entry of a line if it exists and has a temporary name.
	 */
	void remove(JournalRecord line) throws IOException {
		EntryRef ref = open(line, 0);
		try (OpenDirectory directory = ref.directory()) {
			if (TemporaryNames.is(ref.name())) {
				ref.remove();
			}
		}
	}

}
