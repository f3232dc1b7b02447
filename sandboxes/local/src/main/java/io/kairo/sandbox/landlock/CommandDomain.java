package io.kairo.sandbox.landlock;

import io.kairo.sandbox.support.process.ProcessLauncher;

/**
 * The domain of one command at a time. For use by one thread at a time.
 */
interface CommandDomain extends AutoCloseable {

	/**
	 * Returns a launcher for the next command, to be used once.
	 * @param gated whether the process waits at its {@link Gate} itself, if it has to
	 */
	ProcessLauncher launcher(boolean gated);

	/**
	 * Kills the remaining processes of a command, as far as that is possible at once, and
	 * prepares for the next one. Does not wait for that.
	 * @param then is run afterwards
	 */
	void reset(Runnable then);

	/**
	 * Kills the remaining processes of a command, as far as that is possible at once, and
	 * releases the resources.
	 */
	@Override
	void close();

}
