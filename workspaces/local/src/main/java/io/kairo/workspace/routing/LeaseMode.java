package io.kairo.workspace.routing;

/**
 * Duration of a lease.
 */
enum LeaseMode {

	/** Until it is released: its holder has a timeout of its own. */
	UNTIL_RELEASED,

	/** Until it is released, or the idle timeout expires. */
	WHILE_USED

}
