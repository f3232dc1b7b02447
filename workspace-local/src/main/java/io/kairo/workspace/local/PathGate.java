package io.kairo.workspace.local;

import io.kairo.api.workspace.WorkspacePath;

/**
 * The one gate: leads from the text of a path to the path of a workspace and back. Knows
 * the roots and touches no file. Immutable.
 */
interface PathGate {

	static PathGate of(PathPolicy policy, RootSet roots) {
		return policy.hidesHost() ? new LogicalPathGate(policy, roots) : new HostPathGate(roots);
	}

	WorkspacePath resolve(String argument, WorkspacePath cwd);

	/**
	 * Spells a path so that {@link #resolve} leads back to it from everywhere.
	 */
	String display(WorkspacePath path);

	/**
	 * Spells a path so that {@link #resolve} leads back to it from a directory.
	 */
	String display(WorkspacePath path, WorkspacePath cwd);

	/**
	 * Returns whether a path with this name in it can be spelled at all.
	 */
	boolean canSpell(String name);

	/**
	 * Makes a relative path safe from being taken for something else: tools read
	 * {@code @output/} as a place of its own.
	 */
	static String plain(String relative) {
		return (relative.startsWith("@output/") || relative.isBlank()) ? "./" + relative : relative;
	}

}
