package io.kairo.workspace.search;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.search.CompiledFilter.Answer;
import io.kairo.workspace.search.IgnoreLevel.Kind;
import io.kairo.workspace.search.IgnoreLevel.Verdict;

/**
 * A visitor that selects the files to search and counts the entries that it skips. The
 * rules do not apply to the directory that the walk starts in. Safe for use by several
 * threads.
 */
final class SearchWalk implements WorkspaceVisitor {

	/** Maximum number of names of a path in every store. */
	private static final int MAX_NAMES = 256;

	private final int startDepth;

	private final CompiledFilter filter;

	private final IgnoreFiles ignoreFiles;

	private final SkipCounts skips;

	private final SearchClock clock;

	private final FoundFiles found;

	SearchWalk(WorkspaceFiles files, WorkspacePath start, CompiledFilter filter, SkipCounts skips, SearchClock clock,
			FoundFiles found) {
		this.startDepth = Names.of(start).size();
		this.filter = filter;
		this.ignoreFiles = new IgnoreFiles(files, skips, clock);
		this.skips = skips;
		this.clock = clock;
		this.found = found;
	}

	@Override
	public Next directory(WorkspacePath directory) {
		try {
			return this.clock.isOver() ? Next.STOP : enter(directory);
		}
		catch (SearchClock.OverException ex) {
			return Next.STOP;
		}
	}

	@Override
	public void names(WorkspacePath directory, Predicate<String> mayHave) {
		boolean below = Names.of(directory).size() > this.startDepth;
		if (below && IgnoreFiles.NAMES.stream().noneMatch(mayHave)) {
			this.ignoreFiles.inherit(directory);
		}
	}

	private Next enter(WorkspacePath directory) {
		List<String> names = Names.of(directory);
		if (names.size() == this.startDepth || names.size() > MAX_NAMES) {
			return Next.CONTINUE; // a directory that is too deep is counted by the walk
		}
		Answer answer = this.filter.directory(below(names));
		if (answer == Answer.NO || this.found.isBeyond(directory)) {
			return Next.SKIP;
		}
		Verdict verdict = IgnoreLevel.of(this.ignoreFiles.of(directory.parent()), names, Kind.DIRECTORY, this.clock);
		if (verdict == Verdict.IGNORED) {
			this.skips.ignoredDirectory();
			return Next.SKIP;
		}
		if (answer == Answer.HIDDEN && verdict != Verdict.READMITTED) {
			this.skips.hiddenDirectory();
			return Next.SKIP;
		}
		return Next.CONTINUE;
	}

	@Override
	public Next file(Entry file) throws IOException {
		try {
			return this.clock.isOver() ? Next.STOP : select(file);
		}
		catch (SearchClock.OverException ex) {
			return Next.STOP;
		}
	}

	private Next select(Entry file) throws IOException {
		List<String> names = Names.of(file.path());
		if (names.size() > MAX_NAMES) {
			throw new IOException("No path can name the file");
		}
		Answer answer = this.filter.file(below(names));
		if (answer == Answer.NO) {
			return Next.CONTINUE;
		}
		Verdict verdict = IgnoreLevel.of(this.ignoreFiles.of(file.path().parent()), names, Kind.FILE, this.clock);
		if (verdict == Verdict.IGNORED) {
			this.skips.ignoredFile();
		}
		else if (answer == Answer.HIDDEN && verdict != Verdict.READMITTED) {
			this.skips.hiddenFile();
		}
		else {
			this.found.add(file);
		}
		return Next.CONTINUE;
	}

	private List<String> below(List<String> names) {
		return names.subList(this.startDepth, names.size());
	}

	/**
	 * Receives the selected files. Safe for use by several threads.
	 */
	interface FoundFiles {

		/**
		 * Adds a file.
		 */
		void add(Entry file) throws IOException;

		/**
		 * Returns whether no file in a directory is needed any more.
		 */
		default boolean isBeyond(WorkspacePath directory) {
			return false;
		}

	}

}
