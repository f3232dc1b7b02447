package io.kairo.workspace.search;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;

/**
 * The ignore files of a tree, read as its directories are entered. {@code .gitignore} is
 * honoured even if the workspace is not a Git repository. Safe for use by several
 * threads.
 */
final class IgnoreFiles {

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
