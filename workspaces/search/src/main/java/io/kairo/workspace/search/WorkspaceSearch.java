package io.kairo.workspace.search;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Searches the files of a workspace by name and by text, within limits, and reports the
 * skipped entries. Links are not followed.
 * <p>
 * Safe for use by several threads; no state is kept between searches. A search runs on
 * the calling thread and the threads of the walk, and is cancelled by an interrupt.
 */
public final class WorkspaceSearch {

	/** The beginning of an absolute glob, alone or in a list. */
	private static final Pattern ABSOLUTE = Pattern.compile("(^|[,\\s!])/");

	private final WorkspaceFiles files;

	private final SearchLimits limits;

	/**
	 * Creates a search.
	 * @param files the files
	 * @param limits the limits of each search
	 */
	public WorkspaceSearch(WorkspaceFiles files, SearchLimits limits) {
		this.files = Objects.requireNonNull(files, "files");
		this.limits = Objects.requireNonNull(limits, "limits");
	}

	/**
	 * Finds files by their names, newest first.
	 * @param query the query
	 * @param cancelled ends the search once it returns true; called often, by several
	 * threads
	 * @return the report, or a failure such as {@code file_not_found} or
	 * {@code not_a_directory}
	 * @throws WorkspacePathException if the glob begins with directories outside the
	 * workspace
	 * @throws SearchPatternException if the glob is invalid, and no file has such a name
	 */
	public WorkspaceResult<GlobReport> glob(GlobQuery query, BooleanSupplier cancelled) {
		GlobStart start = located(GlobStart.of(query.glob()), query.directory());
		WorkspacePath directory = start.directories().isEmpty() ? query.directory()
				: this.files.resolve(start.directories(), query.directory());
		SearchClock clock = new SearchClock(this.limits.deadline(), cancelled);
		SkipCounts skips = new SkipCounts();
		NewestFiles newest = new NewestFiles(query.slice());
		CompiledFilter filter = start.filter();
		WorkspaceResult<WalkReport> walk = this.files.walk(directory,
				new SearchWalk(this.files, directory, filter, skips, clock, newest));
		if (walk instanceof WorkspaceResult.Failure<WalkReport> failure) {
			boolean named = directory.equals(query.directory());
			WorkspaceResult<FileInfo> asked = this.files.info(query.directory());
			if (!named && failure.code() != WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED
					&& asked instanceof WorkspaceResult.Ok<FileInfo> ok && ok.value().type() == FileType.DIRECTORY) {
				return WorkspaceResult.ok(filter.checked(newest.report(Skipped.NOTHING, null), 0));
			}
		}
		return walk.map((report) -> newest.report(skips.with(report), clock.end(report)))
			.map((report) -> filter.checked(report, report.total()));
	}

	/**
	 * Returns a split of a glob whose leading directories are in the workspace, since the
	 * name of a root may look like a wildcard.
	 */
	private GlobStart located(GlobStart glob, WorkspacePath directory) {
		GlobStart start = glob;
		while (!start.directories().isEmpty()) {
			try {
				this.files.resolve(start.directories(), directory);
				break;
			}
			catch (WorkspacePathException ex) {
				start = Optional.ofNullable(start.further()).orElseThrow(() -> ex);
			}
		}
		return start;
	}

	/**
	 * Returns a filter whose absolute globs are relative to the searched directory, if
	 * they begin with that directory or with one below it.
	 */
	private FileFilter relative(FileFilter filter, WorkspacePath directory) {
		String whole = filter.glob();
		if (whole == null || !ABSOLUTE.matcher(whole).find()) {
			return filter;
		}
		List<String> globs = GlobSyntax.list(whole);
		List<String> parts = globs.get(0).equals(whole) ? globs.subList(1, globs.size()) : globs;
		List<String> relative = parts.stream()
			.flatMap((glob) -> Optional.ofNullable(relative(glob, directory)).stream())
			.toList();
		String glob = (parts.isEmpty() || relative.size() < parts.size()) ? relative(whole, directory)
				: String.join(",", relative);
		return (glob != null) ? new FileFilter(glob, filter.type()) : filter;
	}

	/**
	 * Returns a glob relative to a directory, null for an absolute one that does not
	 * begin there.
	 */
	private @Nullable String relative(String glob, WorkspacePath directory) {
		String not = glob.startsWith("!") ? "!" : "";
		String absolute = glob.substring(not.length());
		if (!absolute.startsWith("/")) {
			return glob;
		}
		try {
			GlobStart start = located(GlobStart.of(absolute), directory);
			WorkspacePath located = start.directories().isEmpty() ? directory
					: this.files.resolve(start.directories(), directory);
			List<String> base = Names.of(directory);
			List<String> names = Names.of(located);
			boolean below = located.root().equals(directory.root()) && names.size() >= base.size()
					&& names.subList(0, base.size()).equals(base);
			return below ? not + GlobSyntax.below(names.subList(base.size(), names.size()), start.rest()) : null;
		}
		catch (WorkspacePathException ex) {
			return null;
		}
	}

	/**
	 * Finds lines by their text, in the order of paths.
	 * @param query the query
	 * @param cancelled ends the search once it returns true; called often, by several
	 * threads
	 * @return the report, or a failure such as {@code file_not_found}
	 * @throws SearchPatternException if the glob of the filter is invalid, and no file
	 * has such a name
	 */
	public WorkspaceResult<GrepReport> grep(GrepQuery query, BooleanSupplier cancelled) {
		SearchClock clock = new SearchClock(this.limits.deadline(), cancelled);
		SkipCounts skips = new SkipCounts();
		GrepSearch search = new GrepSearch(query, this.limits, clock, skips);
		WorkspaceResult<FileInfo> info = this.files.info(query.path());
		if (info instanceof WorkspaceResult.Ok<FileInfo> ok && ok.value().type() == FileType.FILE) {
			return grepFile(query.path(), search, clock, skips);
		}
		CompiledFilter filter = relative(query.filter(), query.path()).compile();
		return this.files.walk(query.path(), new SearchWalk(this.files, query.path(), filter, skips, clock, search))
			.map((report) -> search.report(skips.with(report), clock.end(report)))
			.map((report) -> filter.checked(report, report.searched()));
	}

	private WorkspaceResult<GrepReport> grepFile(WorkspacePath path, GrepSearch search, SearchClock clock,
			SkipCounts skips) {
		WorkspaceResult<FileContent> first = this.files.read(path, 0, 1);
		if (first instanceof WorkspaceResult.Failure<FileContent> failure) {
			return failure.cast();
		}
		try {
			search.search(path, FileBytes.of(this.files, path));
		}
		catch (IOException ex) {
			return WorkspaceResult.failure(WorkspaceErrorCode.READ_FAILED,
					WorkspacePath.quote(path.relative()) + " could not be read to its end: try again");
		}
		catch (SearchClock.OverException ex) {
			// the matches found so far are reported
		}
		return WorkspaceResult.ok(search.report(skips.with(new WalkReport(1, 0, 0, 0, 0, false)), clock.end()));
	}

	/**
	 * Collects the newest files found, as many as a slice needs. Safe for use by several
	 * threads.
	 */
	private static final class NewestFiles implements SearchWalk.FoundFiles {

		private static final Comparator<FoundFile> NEWEST_FIRST = Comparator.comparing(FoundFile::modified)
			.reversed()
			.thenComparing(FoundFile::path);

		private final SearchSlice slice;

		/** The files, the next one to be dropped first. */
		private final PriorityQueue<FoundFile> newest = new PriorityQueue<>(NEWEST_FIRST.reversed());

		private long total;

		/** The number of characters of the paths. */
		private long characters;

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
			this.characters += length(file);
			while (this.newest.size() > this.slice.offset() + this.slice.limit()
					|| (this.characters > LineSink.MAX_CHARACTERS && this.newest.size() > 1)) {
				this.characters -= length(this.newest.remove());
			}
		}

		synchronized GlobReport report(Skipped skipped, @Nullable SearchEnd end) {
			List<FoundFile> files = this.newest.stream().sorted(NEWEST_FIRST).skip(this.slice.offset()).toList();
			boolean cut = this.newest.size() < Math.min(this.total, this.slice.offset() + (long) this.slice.limit());
			return new GlobReport(files, this.total, skipped,
					(end != null) ? end : cut ? SearchEnd.LIMIT : SearchEnd.EVERYTHING);
		}

		private static int length(FoundFile file) {
			return file.path().relative().length();
		}

	}

}
