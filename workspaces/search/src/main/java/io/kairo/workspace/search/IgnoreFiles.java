package io.kairo.workspace.search;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;

/**
 * The ignore files of a tree, read as its directories are entered. {@code .gitignore} is
 * honoured even if the workspace is not a Git repository. Of each file the first 256 KiB
 * apply, as far as the {@link IgnoreBudget} of the search allows. Safe for use by several
 * threads.
 */
final class IgnoreFiles {

	private static final String IGNORE = ".ignore";

	private static final String GITIGNORE = ".gitignore";

	/** The names of ignore files. */
	static final List<String> NAMES = List.of(IGNORE, GITIGNORE);

	private static final int MAX_SIZE = 256 << 10;

	private static final IgnoreLevel NONE = new IgnoreLevel(null, 0, List.of(), List.of());

	private final WorkspaceFiles files;

	private final SkipCounts skips;

	private final SearchClock clock;

	private final IgnoreBudget budget = new IgnoreBudget();

	/** Characters of cached paths before paths without rules are forgotten. */
	private static final int MAX_CHARACTERS = 2 * IgnoreBudget.MAX_PATH_CHARACTERS;

	private final Map<WorkspacePath, IgnoreLevel> levels = new ConcurrentHashMap<>();

	/** Number of characters of the cached paths. */
	private final AtomicInteger characters = new AtomicInteger();

	IgnoreFiles(WorkspaceFiles files, SkipCounts skips, SearchClock clock) {
		this.files = files;
		this.skips = skips;
		this.clock = clock;
	}

	/**
	 * Returns the rules that apply in a directory, and reads the files that are not
	 * cached yet.
	 * @throws SearchClock.OverException if the search has to end
	 */
	IgnoreLevel of(WorkspacePath directory) {
		IgnoreLevel known = this.levels.get(directory);
		if (known != null) {
			return known;
		}
		this.clock.check();
		IgnoreLevel above = directory.isRoot() ? NONE : of(directory.parent());
		makeRoom();
		// other threads wait while the rules are parsed, so that they count once, but not
		// for a file, since it may never be opened
		WorkspaceResult<FileContent> ignore = read(directory.child(IGNORE));
		WorkspaceResult<FileContent> gitignore = read(directory.child(GITIGNORE));
		return this.levels.computeIfAbsent(directory, (entered) -> {
			this.characters.addAndGet(entered.relative().length());
			return level(entered, above, ignore, gitignore);
		});
	}

	/**
	 * Applies the rules of the directory above, if they are cached, to a directory that
	 * has no ignore files.
	 */
	void inherit(WorkspacePath directory) {
		IgnoreLevel above = this.levels.get(directory.parent());
		if (above != null) {
			makeRoom();
			if (this.levels.putIfAbsent(directory, above) == null) {
				this.characters.addAndGet(directory.relative().length());
			}
		}
	}

	private void makeRoom() {
		if (this.characters.get() > MAX_CHARACTERS) {
			this.levels.forEach((directory, level) -> {
				// the rules of the others count once only
				if (level.depth() != Names.of(directory).size() && this.levels.remove(directory, level)) {
					this.characters.addAndGet(-directory.relative().length());
				}
			});
		}
	}

	private IgnoreLevel level(WorkspacePath directory, IgnoreLevel above, WorkspaceResult<FileContent> ignore,
			WorkspaceResult<FileContent> gitignore) {
		List<IgnoreRule> ignoreRules = parse(ignore);
		List<IgnoreRule> gitignoreRules = parse(gitignore);
		if (ignoreRules.isEmpty() && gitignoreRules.isEmpty()) {
			return above;
		}
		if (!this.budget.takePath(directory)) {
			this.skips.cutIgnoreFile();
			return above;
		}
		return new IgnoreLevel(above, Names.of(directory).size(), ignoreRules, gitignoreRules);
	}

	private WorkspaceResult<FileContent> read(WorkspacePath file) {
		return this.files.read(file, 0, MAX_SIZE);
	}

	private List<IgnoreRule> parse(WorkspaceResult<FileContent> content) {
		if (!(content instanceof WorkspaceResult.Ok<FileContent> ok)) {
			return List.of();
		}
		String text = new String(ok.value().bytes(), StandardCharsets.UTF_8);
		boolean whole = ok.value().atEnd();
		text = whole ? text : text.substring(0, text.lastIndexOf('\n') + 1);
		IgnoreRule.Parsed parsed = IgnoreRule.parse(text.startsWith("\uFEFF") ? text.substring(1) : text, this.budget,
				this.clock);
		if (!whole || !parsed.whole()) {
			this.skips.cutIgnoreFile();
		}
		return parsed.rules();
	}

}
