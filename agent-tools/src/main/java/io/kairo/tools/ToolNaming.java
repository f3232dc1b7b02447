package io.kairo.tools;

/**
 * The names of the tools and of their parameters. A naming affects only names; tools with
 * other results, such as {@code ReadFileTool}, are separate classes.
 *
 * @since 0.1.0
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
	 * Returns the name of a tool.
	 * @param name its name under {@link #CLAUDE}
	 * @return its name under this naming; the same for unknown tools
	 */
	public String tool(String name) {
		return (this == CLAUDE) ? name : switch (name) {
			case "Read" -> "read_file";
			case "Write" -> "write_file";
			case "Edit" -> "edit_file";
			case "MultiEdit" -> "multi_edit";
			case "ApplyPatch" -> "apply_patch";
			case "List" -> "list_files";
			case "Info" -> "get_workspace_info";
			case "Glob" -> "find_files";
			case "Grep" -> "search_files";
			case "Move" -> "move_file";
			case "Copy" -> "copy_file";
			case "Delete" -> "delete_file";
			case "Undelete" -> "undelete_file";
			case "Diff" -> "diff";
			case "Commit" -> "commit";
			case "Push" -> "push";
			case "WriteBack" -> "write_back";
			case "Bash" -> "run_command";
			case "BashOutput" -> "command_output";
			case "BashInput" -> "command_input";
			case "KillBash" -> "kill_command";
			case "BashList" -> "list_commands";
			default -> name;
		};
	}

	/**
	 * Returns whether there is a tool of a name.
	 * @param name its name under {@link #CLAUDE}
	 */
	static boolean knows(String name) {
		return !SNAKE_CASE.tool(name).equals(name);
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
