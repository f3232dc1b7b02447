package io.kairo.governance.policy;

import java.util.List;

/**
 * The paths and commands of a call. Immutable.
 *
 * @param paths the paths
 * @param knowledge the knowledge about the paths
 * @param commands the commands
 * @param commandsKnown whether the call runs nothing but the commands
 */
record CallTargets(List<PathTarget> paths, Knowledge knowledge, List<String> commands, boolean commandsKnown) {

	/**
	 * The knowledge about the paths of a call.
	 */
	enum Knowledge {

		/** The call works on the paths and on no others. */
		COMPLETE,

		/** The call may work on others, since it is not about paths. */
		UNBOUNDED,

		/** The call is about paths, but not all of them could be found out. */
		UNREADABLE

	}

}
