package io.kairo.autoconfigure.sandbox;

/**
 * Knows whether limits are put on commands that a sandbox does not claim, since a command
 * that means to can get around them.
 */
@FunctionalInterface
interface LimitsInPlace {

	/**
	 * Returns whether they are, and whoever configured the application knows what they
	 * are worth: the sandbox is one that was asked for by its name.
	 */
	boolean knowingly();

}
