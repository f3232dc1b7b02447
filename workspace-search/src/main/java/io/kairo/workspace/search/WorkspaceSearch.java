package io.kairo.workspace.search;

import java.io.IOException;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;

/**
 * Searches the files of a workspace by their names and by their text, within bounds, and
 * says what was not looked into. Links are not followed.
 * <p>
 * Safe for use by several threads; keeps nothing between searches. A search runs on the
 * calling thread and on those that the walk of the store adds.
 *
 * @since 0.1.0
 */
public final class WorkspaceSearch {

	private final WorkspaceFiles files;

	private final SearchLimits limits;

	/**
	 * Creates a search.
	 * @param files the files
	 * @param limits the bounds of each search
	 */
	public WorkspaceSearch(WorkspaceFiles files, SearchLimits limits) {
		this.files = Objects.requireNonNull(files, "files");
		this.limits = Objects.requireNonNull(limits, "limits");
	}

	/**
	 * Finds files by their names, newest first.
	 * @param query what to find
	 * @param cancelled ends the search once it is true; asked often, by several threads
	 * @return what was found, or a failure such as {@code file_not_found} or
	 * {@code not_a_directory}
	 * @throws io.kairo.api.workspace.WorkspacePathException if the glob begins with
	 * directories that lead out of the workspace
	 */
	public WorkspaceResult<GlobReport> glob(GlobQuery query, BooleanSupplier cancelled) {
		GlobStart start = GlobStart.of(query.glob());
		WorkspacePath directory = query.directory();
		if (!start.directories().isEmpty()) {
			directory = this.files.resolve(start.directories(), directory);
		}
		SearchClock clock = new SearchClock(this.limits.deadline(), cancelled);
		SkipCounts skips = new SkipCounts();
		NewestFiles newest = new NewestFiles(query.slice());
		CompiledFilter filter = CompiledFilter.admitting(PathGlob.of(start.rest()));
		WorkspaceResult<WalkReport> walk = this.files.walk(directory,
				new SearchWalk(this.files, directory, filter, skips, clock, newest));
		if (walk instanceof WorkspaceResult.Failure<WalkReport> failure) {
			boolean named = directory.equals(query.directory());
			WorkspaceResult<FileInfo> asked = this.files.info(query.directory());
			if (!named && failure.code() != WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED
					&& asked instanceof WorkspaceResult.Ok<FileInfo> ok && ok.value().type() == FileType.DIRECTORY) {
				return WorkspaceResult.ok(newest.report(Skipped.NOTHING, null));
			}
		}
		return walk.map((report) -> newest.report(skips.with(report), clock.end()));
	}

	/**
	 * Finds lines by their text, in the order of paths.
	 * @param query what to find
	 * @param cancelled ends the search once it is true; asked often, by several threads
	 * @return what was found, or a failure such as {@code file_not_found}
	 */
	public WorkspaceResult<GrepReport> grep(GrepQuery query, BooleanSupplier cancelled) {
		SearchClock clock = new SearchClock(this.limits.deadline(), cancelled);
		SkipCounts skips = new SkipCounts();
		GrepSearch search = new GrepSearch(query, this.limits, clock, skips);
		WorkspaceResult<FileInfo> info = this.files.info(query.path());
		if (info instanceof WorkspaceResult.Ok<FileInfo> ok && ok.value().type() == FileType.FILE) {
			return grepFile(query.path(), search, clock, skips);
		}
		return this.files
			.walk(query.path(),
					new SearchWalk(this.files, query.path(), query.filter().compile(), skips, clock, search))
			.map((report) -> search.report(skips.with(report), clock.end()));
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
			// what was found before is reported
		}
		return WorkspaceResult.ok(search.report(skips.with(new WalkReport(1, 0, 0, 0, 0, false)), clock.end()));
	}

}
