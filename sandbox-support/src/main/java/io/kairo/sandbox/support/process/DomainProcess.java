package io.kairo.sandbox.support.process;

/**
 * A process whose descendants cannot leave a domain of the kernel, and which can be
 * killed with all of them at once. Implemented by a {@link Process}. Safe for use by
 * several threads.
 */
public interface DomainProcess {

	/**
	 * Kills the process and everything that it has started (SIGKILL). Returns once all of
	 * them have been signalled.
	 */
	void killDomain();

}
