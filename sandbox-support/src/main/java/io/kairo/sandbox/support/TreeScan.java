package io.kairo.sandbox.support;

import java.util.List;

/**
 * A way to find the processes that belong to a command. A stronger one, such as a control
 * group, would be another implementation. For use by one thread at a time.
 */
interface TreeScan {

	/**
	 * Looks for members that are alive, the process that was started among them. It comes
	 * first, so that a shell is signalled before a child whose death would make it go on
	 * to its next command.
	 * @return handles that refuse to signal another process that got the same id
	 */
	List<ProcessHandle> members();

}
