package io.kairo.workspace.local.path;

import io.kairo.api.workspace.WorkspacePath;

/**
 * The roots of a workspace as a gate sees them. Immutable.
 */
interface GateRoots {

	/**
	 * Returns the primary root.
	 */
	WorkspacePath primary();

	/**
	 * Checks that a path belongs to this workspace.
	 * @throws io.kairo.api.workspace.WorkspacePathException if it belongs to another
	 * workspace
	 */
	void check(WorkspacePath path);

	/**
	 * Checks that an entry of the primary root can have a name.
	 * @throws io.kairo.api.workspace.WorkspacePathException if the file system cannot
	 * have the name
	 */
	void checkName(String name);

}
