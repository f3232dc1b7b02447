package io.kairo.workspace.search;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

import io.kairo.api.workspace.WorkspaceVisitor.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Collects the newest files found, as many as a slice needs. Safe for use by several
 * threads.
 */
final class NewestFiles implements SearchWalk.FoundFiles {

	private static final Comparator<FoundFile> NEWEST_FIRST = Comparator.comparing(FoundFile::modified)
		.reversed()
		.thenComparing(FoundFile::path);

	private final SearchSlice slice;

	/** The files, the next one to be dropped first. */
	private final PriorityQueue<FoundFile> newest = new PriorityQueue<>(NEWEST_FIRST.reversed());

	private long total;

	NewestFiles(SearchSlice slice) {
		this.slice = slice;
	}

	@Override
	public void add(Entry file) {
		add(new FoundFile(file.path(), file.size(), file.modified()));
	}

	private synchronized void add(FoundFile file) {
		this.total++;
		this.newest.add(file);
		if (this.newest.size() > this.slice.offset() + this.slice.limit()) {
			this.newest.poll();
		}
	}

	synchronized GlobReport report(Skipped skipped, @Nullable SearchEnd end) {
		List<FoundFile> files = this.newest.stream().sorted(NEWEST_FIRST).skip(this.slice.offset()).toList();
		return new GlobReport(files, this.total, skipped, (end != null) ? end : SearchEnd.EVERYTHING);
	}

}
