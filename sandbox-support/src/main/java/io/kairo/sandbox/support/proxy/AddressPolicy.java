package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;

/**
 * Decides which addresses may be connected to. Safe for use by several threads.
 */
interface AddressPolicy {

	/**
	 * Returns whether an address may be connected to.
	 */
	boolean permits(InetAddress address);

}
