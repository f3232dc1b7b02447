package io.kairo.workspace.path;

import java.nio.file.Path;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;

/**
 * The one gate: leads from the text of a path to the path of a workspace and back. Knows
 * the roots and touches no file: what a path leads to is found out by the store that
 * opens it. Every store whose paths are texts can use it. Immutable, and so safe for use
 * by several threads.
 *
 * @since 0.1.0
 */
public interface PathGate {

	/**
	 * Makes the gate of {@link PathPolicy#LOGICAL} over a root that is only a name, for a
	 * store that is not in directories of this machine.
	 * @param root the name of the root, absolute; nothing on disk is touched
	 * @return the gate
	 */
	static PathGate logical(Path root) {
		return new LogicalPathGate(root);
	}

	/**
	 * Creates the gate of a policy.
	 * @param policy the path policy
	 * @param roots the roots of the workspace
	 * @return the gate
	 */
	static PathGate of(PathPolicy policy, RootSet roots) {
		return policy.hidesHost() ? new LogicalPathGate(policy, roots) : new HostPathGate(roots);
	}

	/**
	 * Returns whether a path is within the bounds that every path has: at most 256 names,
	 * and as an absolute path at most 4096 bytes.
	 * @param path any path
	 * @return false if no workspace has it
	 */
	static boolean fits(WorkspacePath path) {
		return PathSyntax.fits(path);
	}

	/**
	 * Returns the primary root.
	 * @return the path of the root itself
	 */
	WorkspacePath root();

	/**
	 * Leads from the text of a path to the path.
	 * @param argument the path as somebody wrote it
	 * @param cwd the directory that relative paths start from
	 * @return the path, whether something is there or not
	 * @throws NullPointerException if the argument is null
	 * @throws io.kairo.api.workspace.WorkspacePathException if the text cannot be a path
	 * ({@code invalid_path}), be it only for its length, leads out of the roots, or
	 * {@code cwd} is of another workspace ({@code path_traversal_blocked})
	 */
	WorkspacePath resolve(String argument, WorkspacePath cwd);

	/**
	 * Spells a path so that {@link #resolve} leads back to it from everywhere.
	 * @param path a path of this workspace
	 * @return the text
	 * @throws io.kairo.api.workspace.WorkspacePathException if it is of another workspace
	 */
	String display(WorkspacePath path);

	/**
	 * Spells a path so that {@link #resolve} leads back to it from a directory.
	 * @param path a path of this workspace
	 * @param cwd the directory
	 * @return the text: relative where the path is below the directory
	 * @throws io.kairo.api.workspace.WorkspacePathException if one is of another
	 * workspace
	 */
	String display(WorkspacePath path, WorkspacePath cwd);

	/**
	 * Checks that a path is of this workspace.
	 * @param path any path
	 * @throws io.kairo.api.workspace.WorkspacePathException if it is of another workspace
	 */
	void require(WorkspacePath path);

	/**
	 * Checks that a path may be used: for a store, before it does anything with a path
	 * that did not come from {@link #resolve}.
	 * @param path any path
	 * @throws io.kairo.api.workspace.WorkspacePathException if it is of another workspace
	 * or, as {@code invalid_path}, if it has more than 256 names or, as an absolute path,
	 * more than 4096 bytes
	 */
	default void admit(WorkspacePath path) {
		require(path);
		PathSyntax.checkBounds(path);
	}

	/**
	 * Returns whether a path with this name in it can be spelled at all.
	 * @param name the name of an entry
	 * @return false if no text leads to it
	 */
	boolean canSpell(String name);

}
