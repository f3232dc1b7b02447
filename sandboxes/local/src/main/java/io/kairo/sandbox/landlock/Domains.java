package io.kairo.sandbox.landlock;

import java.io.IOException;

import io.kairo.linux.LandlockRules;

/**
 * Creates Landlock domains. Safe for use by several threads.
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
	 * Describes how processes enter their domains.
	 */
	String means();

	/**
	 * Returns whether processes have to wait at a {@link Gate}.
	 */
	boolean gated();

	/**
	 * Creates a domain.
	 * @param rules the rules of its commands
	 * @param filter their filter for system calls
	 * @throws IOException if the kernel refuses the rules, a path of them does not exist,
	 * or no more threads can be created
	 */
	CommandDomain open(LandlockRules rules, byte[] filter) throws IOException;

	/**
	 * Kills everything that is left, and releases the resources.
	 */
	@Override
	void close();

}
