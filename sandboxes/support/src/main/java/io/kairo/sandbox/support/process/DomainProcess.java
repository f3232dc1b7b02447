package io.kairo.sandbox.support.process;

/**
 * A process that can be killed with all its descendants at once, since they cannot leave
 * a domain of the kernel. Implemented by a {@link Process}. Safe for use by several
 * threads.
 */
public interface DomainProcess {

	/**
	 * Kills the process and everything that it has started (SIGKILL). Returns once all of
	 * them have been signalled.
	 */
	void killDomain();

}
