package io.kairo.sandbox.landlock;

import io.kairo.linux.LandlockRules;
import io.kairo.sandbox.support.process.ProcessLauncher;

/**
 * Starts processes in Landlock domains. Safe for use by several threads.
 */
interface Domains extends AutoCloseable {

	/**
	 * Returns the version of the interface of the kernel that is used.
	 */
	int abi();

	/**
	 * Returns whether all processes of a command can be killed at once, and are killed
	 * when the JVM is.
	 */
	boolean killable();

	/**
	 * Describes the means by which processes enter their domains.
	 */
	String means();

	/**
	 * Returns whether processes have to wait at a {@link Gate}.
	 */
	boolean gated();

	/**
	 * Returns a launcher for one process.
	 * @param rules the rules of its domain
	 * @param filter its filter for system calls
	 * @param gated whether the process waits at its {@link Gate} itself, if it has to
	 */
	ProcessLauncher launcher(LandlockRules rules, byte[] filter, boolean gated);

	/**
	 * Kills everything that is left, and releases the resources.
	 */
	@Override
	void close();

}
