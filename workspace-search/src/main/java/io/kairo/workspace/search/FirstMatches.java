package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Collects the first matches in the order of their paths, as many as a slice needs,
 * independent of the order in which they are found. Safe for use by several threads.
 */
final class FirstMatches {

	private final SearchSlice slice;

	private final TreeMap<WorkspacePath, FileMatches> kept = new TreeMap<>();

	private long results;

	/** The last file needed; null as long as all files are. */
	private volatile @Nullable WorkspacePath last;

	FirstMatches(SearchSlice slice) {
		this.slice = slice;
	}

	synchronized void add(FileMatches matches) {
		if (isBeyond(matches.path())) {
			return;
		}
		this.kept.put(matches.path(), matches);
		this.results += matches.results();
		while (this.results - this.kept.lastEntry().getValue().results() >= this.slice.needed()) {
			this.results -= this.kept.pollLastEntry().getValue().results();
		}
		if (this.results >= this.slice.needed()) {
			this.last = this.kept.lastKey();
		}
	}

	/**
	 * Returns whether a file comes after all needed files.
	 */
	boolean isBeyond(WorkspacePath file) {
		WorkspacePath bound = this.last;
		return bound != null && file.compareTo(bound) > 0;
	}

	/**
	 * Returns whether all files in a directory come after all needed files.
	 */
	boolean isAllBeyond(WorkspacePath directory) {
		WorkspacePath bound = this.last;
		return bound != null && !bound.startsWith(directory)
				&& (directory.relative() + "/").compareTo(bound.relative()) > 0;
	}

	/**
	 * Returns whether there are results after the slice.
	 */
	synchronized boolean hasMore() {
		return this.results >= this.slice.needed();
	}

	synchronized List<FileMatches> slice() {
		List<FileMatches> files = new ArrayList<>();
		int toSkip = this.slice.offset();
		int room = this.slice.limit();
		for (FileMatches matches : this.kept.values()) {
			int first = Math.min(toSkip, matches.results());
			int end = Math.min(matches.results(), first + room);
			toSkip -= first;
			room -= end - first;
			if (end > first) {
				files.add(matches.lines().isEmpty() ? matches
						: FileMatches.of(matches.path(), matches.lines().subList(first, end)));
			}
		}
		return files;
	}

}
