package io.kairo.workspace.path;

import io.kairo.api.workspace.WorkspacePath;

/**
 * What a gate has to know of the roots of a workspace. Immutable.
 */
interface GateRoots {

	/**
	 * Returns the primary root.
	 */
	WorkspacePath primary();

	/**
	 * Checks that a path is of this workspace.
	 * @throws io.kairo.api.workspace.WorkspacePathException if it is of another one
	 */
	void check(WorkspacePath path);

	/**
	 * Checks that something in the primary root can have a name.
	 * @throws io.kairo.api.workspace.WorkspacePathException if it cannot
	 */
	void checkName(String name);

}
