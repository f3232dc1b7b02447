package io.kairo.autoconfigure.sandbox;

/**
 * The network access of commands.
 */
public enum NetworkAccess {

	/** No network. */
	NONE,

	/** The hosts of an allow-list. */
	ALLOW_LIST,

	/** The network of the host. */
	HOST

}
