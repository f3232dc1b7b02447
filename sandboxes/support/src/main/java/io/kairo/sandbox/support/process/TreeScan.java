package io.kairo.sandbox.support.process;

import java.util.List;

/**
 * Finds the processes that belong to a command. For use by one thread at a time.
 */
interface TreeScan {

	/**
	 * Returns the live members including the started process, in any order.
	 * @return handles that do not signal another process that reuses the id
	 */
	List<ProcessHandle> members();

	/**
	 * Returns whether no member is left after the started process has ended by itself.
	 */
	default boolean isEmpty() {
		// scans twice: one scan may miss a child whose parent ends meanwhile, or a
		// program
		// that starts, whose environment is not there yet
		List<ProcessHandle> first = members();
		return first.isEmpty() && members().isEmpty();
	}

	/**
	 * Returns whether it is certain, without a search, that nothing is left after the
	 * started process has ended by itself: not even processes that a scan cannot find.
	 */
	default boolean isCertainlyEmpty() {
		return false;
	}

	/**
	 * Asks a member to end (SIGTERM).
	 * @return false if this member is not to be asked
	 */
	default boolean ask(ProcessHandle process) {
		process.destroy();
		return true;
	}

	/**
	 * Kills all members at once, if the scan supports it. The caller also signals each
	 * member.
	 */
	default void forceAll() {
		// not supported
	}

	/**
	 * Kills all members at once, even members that a scan cannot find, if the scan
	 * supports it. Called when a scan finds none any more.
	 */
	default void killUnseen() {
		// not supported
	}

}
