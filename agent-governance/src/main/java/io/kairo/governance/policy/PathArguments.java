package io.kairo.governance.policy;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The arguments of the tools of Kairo that are paths.
 */
final class PathArguments {

	/** The names and the aliases of parameters that are paths, of all tools of Kairo. */
	static final Set<String> PATHS = Set.of("path", "file_path", "filePath", "filename", "directory", "dir", "source",
			"from", "src", "source_path", "sourcePath", "old_path", "destination", "to", "dest", "dst", "target",
			"destination_path", "destinationPath", "new_path");

	/** The names and the aliases of parameters of file tools that are no paths. */
	static final Set<String> OTHERS = Set.of("content", "contents", "file_text", "text", "offset", "limit", "column",
			"head_limit", "expected_version", "old_string", "old_str", "oldString", "new_string", "new_str",
			"newString", "replace_all", "replaceAll", "allow_multiple", "dry_run", "dryRun", "depth", "max_depth",
			"hidden", "ignore", "regex", "query", "include", "glob", "pattern", "type", "output_mode", "multiline",
			"recursive", "recurse", "permanent", "overwrite", "-A", "-B", "-C", "-i", "-n", "A", "B", "C", "i", "n",
			"after_context", "before_context", "context", "ignore_case", "case_insensitive", "line_numbers");

	/** By the identity of the tool. */
	private static final Map<String, Kind> KINDS = Map.ofEntries(Map.entry("Read", Kind.FILE),
			Map.entry("Write", Kind.FILE), Map.entry("Edit", Kind.FILE), Map.entry("MultiEdit", Kind.EDITS),
			Map.entry("Info", Kind.LISTING), Map.entry("List", Kind.LISTING), Map.entry("Glob", Kind.GLOB),
			Map.entry("ApplyPatch", Kind.PATCH), Map.entry("Grep", Kind.SEARCH), Map.entry("Diff", Kind.SEARCH),
			Map.entry("Delete", Kind.TREE), Map.entry("Move", Kind.TREE), Map.entry("Copy", Kind.TREE),
			Map.entry("Undelete", Kind.TREE), Map.entry("Changes", Kind.SEARCH), Map.entry("Rewind", Kind.SEARCH));

	private PathArguments() {
	}

	/**
	 * Returns the kind of a tool of Kairo, null for a tool without paths, also for a tool
	 * that runs commands.
	 */
	static @Nullable Kind kind(String identity) {
		return KINDS.get(identity);
	}

	/**
	 * The kind of a tool that works on paths.
	 */
	enum Kind {

		/** One entry. */
		FILE,

		/** One entry, or several in a list of edits. */
		EDITS,

		/** The names in a directory, by default the current one. */
		LISTING,

		/**
		 * The names in a directory, by default the current one, or where a glob starts.
		 */
		GLOB,

		/** The files of a patch. */
		PATCH,

		/** The contents below a directory, by default the current one. */
		SEARCH,

		/** Entries with everything below them. */
		TREE;

		boolean tree() {
			return this == SEARCH || this == TREE;
		}

		boolean optional() {
			return this == LISTING || this == GLOB || this == SEARCH;
		}

	}

}
