package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.List;

/**
 * Knows where the workspaces of a tenant are.
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
	 * @param base where hints start
	 * @param added further roots of every workspace, as real paths
	 * @param reach how far hints lead
	 */
	record Bases(Path base, List<Path> added, Reach reach) {

	}

	/**
	 * How far hints lead.
	 */
	enum Reach {

		/** To any directory of this machine. */
		ANYWHERE,

		/** To the base and what is below it. */
		BELOW_BASE

	}

}
