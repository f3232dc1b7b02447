package io.kairo.tools;

import java.nio.file.Path;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Where relative paths start, and commands.
 *
 * @param directory a directory of the workspace: where paths of file tools start
 * @param outside where commands start instead, outside of the workspace; null if they
 * start where paths do
 */
public record CurrentDirectory(WorkspacePath directory, @Nullable Path outside) {

	/**
	 * Creates a directory in which both start.
	 * @param directory a directory of the workspace
	 */
	public CurrentDirectory(WorkspacePath directory) {
		this(directory, null);
	}

}
