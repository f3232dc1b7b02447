package io.kairo.workspace.search;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

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
		if (file.size() > this.limits.maxFileSize()) {
			this.skips.tooLarge();
			return;
		}
		search(file.path(), file::read);
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
			scanner = new FileScanner(this.pattern, context(), this.clock);
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

}
