package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.path.PathGate;

/**
 * Lists a directory level by level, so that the upper levels of a truncated list are
 * complete. Once the list is full, the entries of the listed directories are counted as
 * omitted, but nothing below them.
 */
final class DirectoryLister {

	static final int MAX_ENTRIES = 10_000;

	private final EntryNames entryNames;

	private final HiddenDirectory hidden;

	private final int depth;

	private final List<FileInfo> entries = new ArrayList<>();

	private final Deque<Level> levels = new ArrayDeque<>();

	private long omitted;

	DirectoryLister(EntryNames entryNames, HiddenDirectory hidden, int depth) {
		this.entryNames = entryNames;
		this.hidden = hidden;
		this.depth = depth;
	}

	FileListing list(WorkspacePath path, OpenDirectory top) throws IOException {
		add(new Level(path, List.of()), top);
		while (!this.levels.isEmpty()) {
			Level level = this.levels.remove();
			try (OpenDirectory directory = open(top, level.names())) {
				add(level, directory);
			}
			catch (IOException ex) {
				this.omitted++; // its entries are unknown
			}
		}
		this.entries.sort(Comparator.comparing(FileInfo::path));
		return new FileListing(path, this.entries, this.omitted);
	}

	/**
	 * Opens a directory below the top one.
	 */
	private static OpenDirectory open(OpenDirectory top, List<Path> names) throws IOException {
		OpenDirectory current = top.directory(names.get(0));
		for (Path name : names.subList(1, names.size())) {
			try (OpenDirectory above = current) {
				current = above.directory(name);
			}
		}
		return current;
	}

	private void add(Level level, OpenDirectory directory) throws IOException {
		for (Map.Entry<WorkspacePath, Path> entry : firstNames(level, directory).entrySet()) {
			Path name = entry.getValue();
			try {
				BasicFileAttributes attributes = directory.attributes(name);
				if (this.hidden.is(directory.path().resolve(name), attributes)
						|| MountPoints.is(directory, name, attributes)) {
					continue;
				}
				this.entries.add(EntryFacts.of(entry.getKey(), attributes, null));
				if (attributes.isDirectory() && level.names().size() + 1 < this.depth) {
					this.levels.add(level.below(entry.getKey(), name));
				}
			}
			catch (NoSuchFileException ex) {
				// It has gone meanwhile.
			}
		}
	}

	private Map<WorkspacePath, Path> firstNames(Level level, OpenDirectory directory) throws IOException {
		int room = MAX_ENTRIES - this.entries.size();
		TreeMap<WorkspacePath, Path> first = new TreeMap<>();
		try {
			for (Iterator<Path> names = directory.names(); names.hasNext();) {
				Path name = names.next();
				if (TemporaryNames.is(name)) {
					continue;
				}
				WorkspacePath path = this.entryNames.child(level.path(), name);
				boolean usable = path != null && PathGate.fits(path);
				if (usable) {
					first.put(path, name);
				}
				if (!usable || first.size() > room) {
					this.omitted++;
				}
				if (first.size() > room) {
					first.pollLastEntry();
				}
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return first;
	}

	/**
	 * A directory whose entries are still to be listed.
	 *
	 * @param path the directory
	 * @param names the names from the top directory to it
	 */
	private record Level(WorkspacePath path, List<Path> names) {

		Level below(WorkspacePath child, Path name) {
			List<Path> longer = new ArrayList<>(this.names);
			longer.add(name);
			return new Level(child, List.copyOf(longer));
		}

	}

}
