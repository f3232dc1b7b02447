package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.List;

/**
 * Finds the directories of a tenant's workspaces.
 */
@FunctionalInterface
interface BaseDirectories {

	/**
	 * Returns the directories of a tenant.
	 * @throws io.kairo.api.workspace.WorkspacePathException if it has none
	 */
	Bases of(String tenant);

	/**
	 * The directories of a tenant.
	 *
	 * @param base the base directory of hints
	 * @param added further roots of every workspace
	 * @param reach the directories that hints may denote
	 */
	record Bases(Path base, List<NamedDirectory> added, Reach reach) {

	}

	/**
	 * The directories that hints may denote.
	 */
	enum Reach {

		/** Any directory of this machine. */
		ANYWHERE,

		/** The base and directories below it. */
		BELOW_BASE

	}

}
