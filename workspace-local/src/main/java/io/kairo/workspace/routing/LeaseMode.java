package io.kairo.workspace.routing;

/**
 * The end of a lease on a workspace.
 */
enum LeaseMode {

	/** On release: the holder has a timeout of its own. */
	UNTIL_RELEASED,

	/** On release, or after the idle timeout. */
	WHILE_USED

}
