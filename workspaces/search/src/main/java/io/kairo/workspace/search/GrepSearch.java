package io.kairo.workspace.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor.Entry;
import org.jspecify.annotations.Nullable;

/**
 * A single search for text. Safe for use by several threads.
 */
final class GrepSearch implements SearchWalk.FoundFiles {

	private final GrepQuery query;

	private final SearchLimits limits;

	private final SearchClock clock;

	private final SkipCounts skips;

	private final CompiledPattern pattern;

	private final FirstMatches matches;

	private final LongAdder searched = new LongAdder();

	/** Held by the scanner of a large file or line. */
	private final ReentrantLock large = new ReentrantLock();

	private final Queue<FileScanner> idle = new ConcurrentLinkedQueue<>();

	GrepSearch(GrepQuery query, SearchLimits limits, SearchClock clock, SkipCounts skips) {
		this.query = query;
		this.limits = limits;
		this.clock = clock;
		this.skips = skips;
		this.pattern = query.pattern().compile();
		this.matches = new FirstMatches(query.slice());
	}

	@Override
	public void add(Entry file) throws IOException {
		if (this.matches.isBeyond(file.path())) {
			return;
		}
		search(file.path(), new WalkedBytes(file, this.limits.maxFileSize()));
	}

	@Override
	public boolean isBeyond(WorkspacePath directory) {
		return this.matches.isAllBeyond(directory);
	}

	/**
	 * Searches a file.
	 * @throws SearchClock.OverException if the search has to end before the file does
	 */
	void search(WorkspacePath path, FileBytes bytes) throws IOException {
		FileScanner scanner = this.idle.poll();
		if (scanner == null) {
			scanner = new FileScanner(this.pattern, context(), this.clock, this.large);
		}
		LineSink sink = new LineSink(this.query.output(), this.query.slice().needed(), this.limits.maxLineCharacters());
		try {
			FileScanner.Outcome outcome = scanner.scan(bytes, sink);
			this.idle.add(scanner);
			switch (outcome) {
				case SEARCHED -> this.searched.increment();
				case BINARY -> this.skips.binary();
				case TOO_LARGE -> this.skips.tooLarge();
			}
			if (outcome != FileScanner.Outcome.BINARY) {
				take(path, sink);
			}
		}
		catch (SearchClock.OverException ex) {
			take(path, sink);
			throw ex;
		}
	}

	private void take(WorkspacePath path, LineSink sink) {
		FileMatches found = sink.result(path);
		if (found != null) {
			this.matches.add(found);
		}
	}

	GrepReport report(Skipped skipped, @Nullable SearchEnd end) {
		SearchEnd reason = (end != null) ? end : this.matches.hasMore() ? SearchEnd.LIMIT : SearchEnd.EVERYTHING;
		var files = this.matches.slice();
		return new GrepReport(files, files.stream().mapToLong(FileMatches::results).sum(), this.searched.sum(), skipped,
				reason);
	}

	private LineContext context() {
		return (this.query.output() == GrepOutput.LINES) ? this.query.context() : LineContext.NONE;
	}

	/**
	 * The bytes of a file found by a walk.
	 */
	private record WalkedBytes(Entry file, long maxSize) implements FileBytes {

		@Override
		public int read(byte[] buffer, long offset) throws IOException {
			return this.file.read(buffer, offset);
		}

		@Override
		public boolean isTooLarge() {
			return this.file.size() > this.maxSize;
		}

	}

	/**
	 * Collects the first matches in the order of their paths, as many as a slice needs,
	 * independent of the order of finding them. Safe for use by several threads.
	 */
	private static final class FirstMatches {

		private final SearchSlice slice;

		private final TreeMap<WorkspacePath, FileMatches> kept = new TreeMap<>();

		private long results;

		private long characters;

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
			this.characters += matches.characters();
			while (isEnoughWithout(this.kept.lastEntry().getValue())) {
				FileMatches dropped = this.kept.pollLastEntry().getValue();
				this.results -= dropped.results();
				this.characters -= dropped.characters();
			}
			if (hasMore()) {
				this.last = this.kept.lastKey();
			}
		}

		private boolean isEnoughWithout(FileMatches file) {
			return this.results - file.results() >= this.slice.needed()
					|| this.characters - file.characters() >= LineSink.MAX_CHARACTERS;
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
		 * Returns whether there are results after the slice, or too many to be kept.
		 */
		synchronized boolean hasMore() {
			return this.results >= this.slice.needed() || this.characters >= LineSink.MAX_CHARACTERS;
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

}
