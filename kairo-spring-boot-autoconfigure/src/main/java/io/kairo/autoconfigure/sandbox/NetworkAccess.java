package io.kairo.autoconfigure.sandbox;

/**
 * What commands reach over the network.
 *
 * @since 0.1.0
 */
public enum NetworkAccess {

	/** Nothing. */
	NONE,

	/** The hosts of a list. */
	ALLOW_LIST,

	/** Whatever the host reaches. */
	HOST

}
