package io.kairo.sandbox.support;

import java.util.List;

/**
 * A way to find the processes that belong to a command. For use by one thread at a time.
 */
interface TreeScan {

	/**
	 * Looks for members that are alive, the process that was started among them. It comes
	 * first, so that a shell is signalled before a child whose death would make it go on
	 * to its next command.
	 * @return handles that refuse to signal another process that got the same id
	 */
	List<ProcessHandle> members();

	/**
	 * Looks whether anything is left once the process that was started has ended by
	 * itself.
	 */
	default boolean isEmpty() {
		// looks twice: one look may miss a child whose parent ends while it is taken
		List<ProcessHandle> first = members();
		return first.isEmpty() && members().isEmpty();
	}

	/**
	 * Asks a member to end.
	 */
	default void ask(ProcessHandle process) {
		process.destroy();
	}

	/**
	 * Ends all members by force at once, where there is a way to. They are signalled one
	 * by one as well.
	 */
	default void forceAll() {
		// there is none
	}

}
