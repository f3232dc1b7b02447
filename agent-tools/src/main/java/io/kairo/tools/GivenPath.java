package io.kairo.tools;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Reads the paths that a call gives, from the current directory of its session.
 */
final class GivenPath {

	private GivenPath() {
	}

	/**
	 * Returns what is meant.
	 * @param argument the path as it was given, null for the current directory
	 * @param context where the call happens
	 * @throws io.kairo.api.workspace.WorkspacePathException if it is no path into the
	 * workspace
	 */
	static WorkspacePath of(@Nullable String argument, ToolContext context) {
		WorkspacePath current = context.session().currentDirectory();
		return (argument != null) ? context.files().resolve(argument, current) : current;
	}

}
