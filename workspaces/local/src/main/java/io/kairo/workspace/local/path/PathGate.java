package io.kairo.workspace.local.path;

import java.nio.file.Path;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;

/**
 * The only conversion between the text of a path and a path of a workspace. A gate knows
 * the roots and touches no file: links are resolved by the store that opens the path. Any
 * store whose paths are text can use it. Immutable and therefore safe for use by several
 * threads.
 */
public interface PathGate {

	/**
	 * Creates the gate of {@link PathPolicy#LOGICAL} over a root that is only a name, for
	 * a store that is not in directories of this machine.
	 * @param root the name of the root, absolute; the disk is not accessed
	 * @return the gate
	 */
	static PathGate logical(Path root) {
		return new LogicalPathGate(root);
	}

	/**
	 * Creates the gate of a policy. {@link PathPolicy#HOST} and {@link PathPolicy#ROOTS}
	 * have paths as the operating system spells them; the other policies have paths below
	 * {@code /workspace} or {@code /}, as names of the primary root.
	 * @param policy the path policy
	 * @param roots the roots of the workspace
	 * @return the gate
	 */
	static PathGate of(PathPolicy policy, RootSet roots) {
		return policy.hidesHost() ? new LogicalPathGate(policy, roots) : new NativePathGate(roots);
	}

	/**
	 * Returns whether a path is within the bounds of every path: at most 256 names below
	 * the root, and at most 4096 bytes as an absolute path.
	 * @param path any path
	 * @return false if no workspace can have the path
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
	 * Converts the text of a path to a path.
	 * @param argument the path as it was written
	 * @param cwd the base directory of relative paths
	 * @return the path, whether an entry exists there or not
	 * @throws NullPointerException if the argument is null
	 * @throws io.kairo.api.workspace.WorkspacePathException if the text cannot be a path
	 * or is too long ({@code invalid_path}), or if it points out of the roots or
	 * {@code cwd} belongs to another workspace ({@code path_traversal_blocked})
	 */
	WorkspacePath resolve(String argument, WorkspacePath cwd);

	/**
	 * Spells a path so that {@link #resolve} returns it for any current directory.
	 * @param path a path of this workspace
	 * @return the text
	 * @throws io.kairo.api.workspace.WorkspacePathException if it belongs to another
	 * workspace
	 */
	String display(WorkspacePath path);

	/**
	 * Spells a path so that {@link #resolve} returns it for the given current directory.
	 * @param path a path of this workspace
	 * @param cwd the directory
	 * @return the text: relative where the path is below the directory
	 * @throws io.kairo.api.workspace.WorkspacePathException if one belongs to another
	 * workspace
	 */
	String display(WorkspacePath path, WorkspacePath cwd);

	/**
	 * Checks that a path belongs to this workspace.
	 * @param path any path
	 * @throws io.kairo.api.workspace.WorkspacePathException if it belongs to another
	 * workspace
	 */
	void require(WorkspacePath path);

	/**
	 * Checks that a path may be used. A store without a {@link RootSet} calls this before
	 * it uses a path, so that it lists only entries that can be spelled.
	 * {@link RootSet#route(WorkspacePath)} makes the checks of a store on disk, whose
	 * entries are also created without it.
	 * @param path any path
	 * @throws io.kairo.api.workspace.WorkspacePathException if it belongs to another
	 * workspace or, as {@code invalid_path}, if it has more than 256 names or, as an
	 * absolute path, more than 4096 bytes, or a name that cannot be spelled
	 */
	default void admit(WorkspacePath path) {
		require(path);
		PathSyntax.checkBounds(path);
		for (String name : path.relative().split("/", -1)) {
			if (!canSpell(name)) {
				throw PathSyntax.invalid(path.relative(),
						"has a name that no argument can spell: use other characters");
			}
		}
	}

	/**
	 * Returns whether a path that contains this name can be spelled.
	 * @param name the name of an entry
	 * @return false if no text resolves to such a path
	 */
	boolean canSpell(String name);

}
