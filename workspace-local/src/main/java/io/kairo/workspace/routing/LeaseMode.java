package io.kairo.workspace.routing;

/**
 * How long whoever acquires a workspace has it.
 */
enum LeaseMode {

	/** Until it is released: its holder has a bound of its own. */
	UNTIL_RELEASED,

	/** Until it is released, or was not used for too long. */
	WHILE_USED

}
