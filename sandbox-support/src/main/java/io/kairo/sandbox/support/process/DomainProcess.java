package io.kairo.sandbox.support.process;

/**
 * A process whose descendants cannot leave a domain of the kernel, and which can be
 * killed with all of them at once. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public abstract class DomainProcess extends Process implements AutoCloseable {

	/**
	 * Creates the process.
	 */
	protected DomainProcess() {
	}

	/**
	 * Kills the process and everything that it has started (SIGKILL). Returns once all of
	 * them have been signalled.
	 */
	public abstract void killDomain();

	/**
	 * Releases the domain. Called once the command has ended; kills nothing.
	 */
	@Override
	public abstract void close();

}
