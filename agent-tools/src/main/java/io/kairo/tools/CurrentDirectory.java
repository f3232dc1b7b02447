package io.kairo.tools;

import java.nio.file.Path;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * The directories that relative paths and commands start from.
 *
 * @param directory the directory of the workspace that paths of file tools start from
 * @param outside the directory outside of the workspace that commands start from, null if
 * they start from {@code directory}
 */
public record CurrentDirectory(WorkspacePath directory, @Nullable Path outside) {

	/**
	 * Creates a value where both start from the same directory.
	 * @param directory a directory of the workspace
	 */
	public CurrentDirectory(WorkspacePath directory) {
		this(directory, null);
	}

}
