package io.kairo.tools.command;

/**
 * The policy for commands that end in a directory outside of the workspace.
 */
public enum WorkingDirectoryPolicy {

	/**
	 * Resets the current directory to the primary root; the result says so.
	 */
	RESETS,

	/**
	 * Starts the next command there. Paths of file tools still start from the last
	 * directory inside the workspace. Resets if commands are confined to the workspace,
	 * since the next command could not see the directory.
	 */
	CARRIES_COMMANDS

}
