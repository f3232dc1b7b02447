package io.kairo.workspace.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.search.CompiledFilter.Answer;
import io.kairo.workspace.search.IgnoreLevel.Kind;
import io.kairo.workspace.search.IgnoreLevel.Verdict;

/**
 * A visitor that selects the files to search and counts the entries that it skips. The
 * rules do not apply to the directory in which the walk starts. Safe for use by several
 * threads.
 */
final class SearchWalk implements WorkspaceVisitor {

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
		this.ignoreFiles = new IgnoreFiles(files);
		this.skips = skips;
		this.clock = clock;
		this.found = found;
	}

	@Override
	public Next directory(WorkspacePath directory) {
		if (this.clock.isOver()) {
			return Next.STOP;
		}
		List<String> names = Names.of(directory);
		if (names.size() == this.startDepth) {
			return Next.CONTINUE;
		}
		Answer answer = this.filter.directory(below(names));
		if (answer == Answer.NO || this.found.isBeyond(directory)) {
			return Next.SKIP;
		}
		Verdict verdict = IgnoreLevel.of(this.ignoreFiles.of(directory.parent()), names, Kind.DIRECTORY);
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
		if (this.clock.isOver()) {
			return Next.STOP;
		}
		List<String> names = Names.of(file.path());
		Answer answer = this.filter.file(below(names));
		if (answer == Answer.NO) {
			return Next.CONTINUE;
		}
		Verdict verdict = IgnoreLevel.of(this.ignoreFiles.of(file.path().parent()), names, Kind.FILE);
		if (verdict == Verdict.IGNORED) {
			this.skips.ignoredFile();
		}
		else if (answer == Answer.HIDDEN && verdict != Verdict.READMITTED) {
			this.skips.hiddenFile();
		}
		else {
			return find(file);
		}
		return Next.CONTINUE;
	}

	private Next find(Entry file) throws IOException {
		try {
			this.found.add(file);
			return Next.CONTINUE;
		}
		catch (SearchClock.OverException ex) {
			return Next.STOP;
		}
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

	/**
	 * The ignore files of a tree, read as its directories are entered. {@code .gitignore}
	 * is honoured even if the workspace is not a Git repository. Safe for use by several
	 * threads.
	 */
	private static final class IgnoreFiles {

		private static final int MAX_SIZE = 1 << 20;

		private static final IgnoreLevel NONE = new IgnoreLevel(null, 0, List.of(), List.of());

		private final WorkspaceFiles files;

		private final Map<WorkspacePath, IgnoreLevel> levels = new ConcurrentHashMap<>();

		IgnoreFiles(WorkspaceFiles files) {
			this.files = files;
		}

		/**
		 * Returns the rules that apply in a directory, and reads the files that are not
		 * cached yet.
		 */
		IgnoreLevel of(WorkspacePath directory) {
			IgnoreLevel known = this.levels.get(directory);
			if (known != null) {
				return known;
			}
			IgnoreLevel above = directory.isRoot() ? NONE : of(directory.parent());
			List<IgnoreRule> ignore = read(directory.child(".ignore"));
			List<IgnoreRule> gitignore = read(directory.child(".gitignore"));
			IgnoreLevel level = above;
			if (!ignore.isEmpty() || !gitignore.isEmpty()) {
				level = new IgnoreLevel(above, depth(directory), ignore, gitignore);
			}
			this.levels.put(directory, level);
			return level;
		}

		private List<IgnoreRule> read(WorkspacePath file) {
			WorkspaceResult<FileContent> content = this.files.read(file, 0, MAX_SIZE);
			if (content instanceof WorkspaceResult.Ok<FileContent> ok) {
				String text = new String(ok.value().bytes(), StandardCharsets.UTF_8);
				return IgnoreRule.parse(text.startsWith("\uFEFF") ? text.substring(1) : text);
			}
			return List.of();
		}

		private static int depth(WorkspacePath directory) {
			return Names.of(directory).size();
		}

	}

}
