package io.kairo.tools.file;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.Completeness;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.LookAlikes;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.FileNames;
import io.kairo.workspace.search.SearchPatternException;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a call that {@link ListTool} and {@link ListFilesTool} have in common.
 *
 * @param path the directory, null for the current one
 * @param depth the number of levels, null for the default
 * @param hidden the treatment of entries whose names begin with a dot
 * @param ignore globs of entries to leave out, null for none
 * @param offset the number of entries to pass over, null for none
 * @param limit the maximum number of entries, null for the default
 */
record ListCall(@Nullable String path, @Nullable Integer depth, DirectoryTree.Hidden hidden,
		@Nullable List<String> ignore, @Nullable Integer offset, @Nullable Integer limit) {

	ListCall {
		require("depth", depth, 1);
		require("offset", offset, 0);
		require("limit", limit, 1);
	}

	private static void require(String name, @Nullable Integer value, int least) {
		if (value != null && value < least) {
			throw ToolArgumentException.of(name, "is " + value + ".", "Give at least " + least + ", or none.");
		}
	}

	/**
	 * Lists the directory.
	 * @param format makes the data of the result
	 */
	ToolResult perform(ListOptions options, ToolContext context, Function<Page, Map<String, Object>> format) {
		WorkspacePath directory = context.resolveOptional(this.path);
		CallDeadline deadline = context.deadline(options.deadline());
		DirectoryTree tree = new DirectoryTree(context.files(), (this.depth != null) ? this.depth : options.depth(),
				this.hidden, ignored(), deadline);
		int first = (this.offset != null) ? this.offset : 0;
		WorkspaceResult<DirectoryTree> listed = tree.list(directory, first);
		if (deadline.isCancelled()) {
			return ToolResult.cancelled("The search was cancelled.");
		}
		if (listed instanceof WorkspaceResult.Failure<DirectoryTree> failure) {
			return ToolResult.failure(failure);
		}
		int most = (this.limit != null) ? Math.min(this.limit, options.maxLimit()) : options.limit();
		List<FileInfo> shown = tree.entries(first, most);
		int next = first + shown.size();
		boolean more = next < tree.found() || tree.goesOn();
		StringBuilder text = new StringBuilder();
		shown.forEach((entry) -> text.append(context.display(entry.path())).append(suffix(entry)).append('\n'));
		List<String> notes = notes(context.display(directory), tree, more, next, options.deadline());
		String lookAlikes = LookAlikes.note(shown.stream().map((entry) -> context.display(entry.path())));
		if (lookAlikes != null) {
			notes.add(lookAlikes);
		}
		String footer = "(" + String.join("; ", notes) + ")";
		boolean complete = !more && tree.omitted() == 0 && tree.unreadable() == 0;
		return new ToolResult(text + footer, format.apply(new Page(directory, tree, shown)), null,
				complete ? Completeness.COMPLETE : Completeness.partial(footer, more ? Map.of("offset", next) : null));
	}

	private FileNames ignored() {
		try {
			return FileNames.of((this.ignore != null) ? this.ignore : List.of());
		}
		catch (SearchPatternException ex) {
			throw new ToolArgumentException(String.valueOf(ex.getMessage()), "Correct the parameter 'ignore'.");
		}
	}

	private static List<String> notes(String path, DirectoryTree tree, boolean more, int next, Duration deadline) {
		List<String> notes = new ArrayList<>();
		long total = tree.found();
		notes.add((total == 0) ? Phrase.of("nothing in '%s'", path)
				: Phrase.of("%s%s in '%s'", tree.goesOn() ? "more than " : "", Phrase.count(total, "entry"), path));
		if (more) {
			notes.add(Phrase.of("stopped at entry %,d, continue with offset=%d", next, next));
		}
		if (tree.hiddenEntries() > 0) {
			notes.add(Phrase.of("%,d hidden not shown", tree.hiddenEntries()));
		}
		if (tree.ignoredEntries() > 0) {
			notes.add(Phrase.of("%,d left out by ignore", tree.ignoredEntries()));
		}
		if (tree.unreadable() > 0) {
			notes.add(Phrase.count(tree.unreadable(), "directory") + " not readable");
		}
		if (tree.isLate()) {
			notes.add(Phrase.of("stopped after %.1f seconds, with %s not listed", deadline.toMillis() / 1000.0,
					Phrase.count(tree.omitted(), "directory")));
		}
		else if (tree.omitted() > 0) {
			notes.add(Phrase.of("at least %,d cannot be shown: too many, or their names cannot be given as a path",
					tree.omitted()));
		}
		return notes;
	}

	private static String suffix(FileInfo entry) {
		return switch (entry.type()) {
			case DIRECTORY -> "/";
			case FILE -> Phrase.of("\t%,d byte%s", entry.size(), Phrase.plural(entry.size()));
			case LINK -> "\tlink";
			case OTHER -> "\tno regular file";
		};
	}

	/**
	 * The entries that a result shows.
	 *
	 * @param directory the directory that is listed
	 * @param tree all of its entries
	 * @param shown the entries of the page
	 */
	record Page(WorkspacePath directory, DirectoryTree tree, List<FileInfo> shown) {

	}

}
