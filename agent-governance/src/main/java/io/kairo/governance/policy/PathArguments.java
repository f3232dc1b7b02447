package io.kairo.governance.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.kairo.tools.ToolNaming;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of tools that are paths. Immutable.
 */
final class PathArguments {

	/** The names and the aliases of parameters that are paths, of all tools of Kairo. */
	static final Set<String> PATHS = Set.of("path", "file_path", "filePath", "filename", "directory", "dir", "source",
			"from", "src", "source_path", "sourcePath", "old_path", "destination", "to", "dest", "dst", "target",
			"destination_path", "destinationPath", "new_path");

	/** The names and the aliases of parameters of file tools that are no paths. */
	static final Set<String> OTHERS = Set.of("content", "contents", "file_text", "text", "offset", "limit",
			"head_limit", "expected_version", "old_string", "old_str", "oldString", "new_string", "new_str",
			"newString", "replace_all", "replaceAll", "allow_multiple", "dry_run", "dryRun", "depth", "max_depth",
			"hidden", "ignore", "regex", "query", "include", "glob", "pattern", "type", "output_mode", "multiline",
			"recursive", "recurse", "permanent", "overwrite", "-A", "-B", "-C", "-i", "-n", "A", "B", "C", "i", "n",
			"after_context", "before_context", "context", "ignore_case", "case_insensitive", "line_numbers");

	private static final Map<String, Kind> KINDS = kinds();

	private final Map<String, Set<String>> configured;

	/**
	 * Creates the arguments.
	 * @param configured the names of the arguments of the application's tools that are
	 * paths, by the names of the tools
	 */
	PathArguments(Map<String, Set<String>> configured) {
		this.configured = Map.copyOf(configured);
	}

	private static Map<String, Kind> kinds() {
		Map<String, Kind> kinds = new HashMap<>();
		for (ToolNaming naming : ToolNaming.values()) {
			Map.of("Read", Kind.FILE, "Write", Kind.FILE, "Edit", Kind.FILE, "MultiEdit", Kind.EDITS, "Info",
					Kind.LISTING, "List", Kind.LISTING, "Glob", Kind.GLOB, "ApplyPatch", Kind.PATCH)
				.forEach((tool, kind) -> kinds.put(naming.tool(tool), kind));
			Map.of("Grep", Kind.SEARCH, "Diff", Kind.SEARCH, "Delete", Kind.TREE, "Move", Kind.TREE, "Copy", Kind.TREE,
					"Undelete", Kind.TREE)
				.forEach((tool, kind) -> kinds.put(naming.tool(tool), kind));
		}
		return Map.copyOf(kinds);
	}

	/**
	 * Returns the kind of a tool of Kairo, null for any other tool, also for one that
	 * runs commands.
	 */
	@Nullable Kind kind(String tool) {
		return this.configured.containsKey(tool) ? null : KINDS.get(tool);
	}

	/**
	 * Returns the names of the arguments of a tool of the application, null if they are
	 * not configured.
	 */
	@Nullable Set<String> configured(String tool) {
		return this.configured.get(tool);
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
