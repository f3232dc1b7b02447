package io.kairo.tools;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The names of the tools and of their parameters. A naming affects only names; tools with
 * other results, such as {@code ReadFileTool}, are separate classes.
 */
public enum ToolNaming {

	/**
	 * The names that models know from Claude Code: {@code Read}, {@code Write},
	 * {@code Edit} and so on, with {@code file_path}.
	 */
	CLAUDE,

	/**
	 * Names in lower case with underscores, such as {@code edit_file}, and {@code path}
	 * in place of {@code file_path}.
	 */
	SNAKE_CASE;

	/**
	 * The names of the tools under {@link #SNAKE_CASE}, by those under {@link #CLAUDE}.
	 */
	private static final Map<String, String> SNAKES = Map.ofEntries(Map.entry("Read", "read_file"),
			Map.entry("Write", "write_file"), Map.entry("Edit", "edit_file"), Map.entry("MultiEdit", "multi_edit"),
			Map.entry("ApplyPatch", "apply_patch"), Map.entry("List", "list_files"),
			Map.entry("Info", "get_workspace_info"), Map.entry("Glob", "find_files"), Map.entry("Grep", "search_files"),
			Map.entry("Move", "move_file"), Map.entry("Copy", "copy_file"), Map.entry("Delete", "delete_file"),
			Map.entry("Undelete", "undelete_file"), Map.entry("Diff", "diff"), Map.entry("Commit", "commit"),
			Map.entry("Push", "push"), Map.entry("WriteBack", "write_back"), Map.entry("Bash", "run_command"),
			Map.entry("BashOutput", "command_output"), Map.entry("BashInput", "command_input"),
			Map.entry("KillBash", "kill_command"), Map.entry("BashList", "list_commands"),
			Map.entry("Checkpoint", "checkpoint"), Map.entry("Changes", "show_changes"), Map.entry("Rewind", "rewind"),
			Map.entry("Trial", "trial"));

	/**
	 * Returns the name of a tool.
	 * @param name its name under {@link #CLAUDE}
	 * @return its name under this naming; the same for unknown tools
	 */
	public String tool(String name) {
		return (this == CLAUDE) ? name : SNAKES.getOrDefault(name, name);
	}

	/**
	 * Returns the name under {@link #CLAUDE} of a tool of Kairo.
	 * @param name its name under any naming
	 * @return the name, null if there is no such tool
	 */
	static @Nullable String identity(String name) {
		return knows(name) ? name
				: SNAKES.keySet().stream().filter((tool) -> name.equals(SNAKES.get(tool))).findFirst().orElse(null);
	}

	/**
	 * Returns whether there is a tool of a name.
	 * @param name its name under {@link #CLAUDE}
	 */
	static boolean knows(String name) {
		return SNAKES.containsKey(name);
	}

	/**
	 * Returns whether a parameter has different names.
	 * @param name its name under {@link #CLAUDE}
	 */
	static boolean knowsParameter(String name) {
		return !SNAKE_CASE.parameter(name).equals(name);
	}

	/**
	 * Returns the name of a parameter.
	 * @param name its name under {@link #CLAUDE}
	 * @return its name under this naming, often the same
	 */
	public String parameter(String name) {
		return (this == CLAUDE) ? name : switch (name) {
			case "file_path" -> "path";
			case "bash_id" -> "command_id";
			case "-A" -> "after_context";
			case "-B" -> "before_context";
			case "-C" -> "context";
			case "-n" -> "line_numbers";
			case "-i" -> "ignore_case";
			default -> name;
		};
	}

}
