package io.kairo.governance.policy;

import java.util.List;

/**
 * The paths and commands of a call. Immutable.
 *
 * @param paths the paths
 * @param knowledge the knowledge about the paths
 * @param commands the commands
 * @param commandKnowledge the knowledge about the commands
 */
record CallTargets(List<PathTarget> paths, Knowledge knowledge, List<String> commands, Knowledge commandKnowledge) {

	/**
	 * The knowledge about the paths or the commands of a call.
	 */
	enum Knowledge {

		/** The call is about these and no others. */
		COMPLETE,

		/** The call may reach others, as the commands of a tool of Kairo do. */
		UNBOUNDED,

		/** The call may be about others that could not be found out. */
		UNREADABLE

	}

}
