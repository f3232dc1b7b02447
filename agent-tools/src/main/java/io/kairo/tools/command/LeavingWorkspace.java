package io.kairo.tools.command;

/**
 * What it means that a command ended in a directory outside of the workspace.
 *
 * @since 0.1.0
 */
public enum LeavingWorkspace {

	/**
	 * The current directory is the primary root again, and the result says so.
	 */
	RESETS,

	/**
	 * The next command starts there. Paths of file tools keep starting where they did: in
	 * the last directory inside the workspace. Where commands are confined to the
	 * workspace it resets, since nothing outside of it is there for the next one.
	 */
	CARRIES_COMMANDS

}
