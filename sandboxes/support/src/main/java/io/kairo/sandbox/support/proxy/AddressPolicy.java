package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;

/**
 * Decides on the addresses that the proxy may connect to. Safe for use by several
 * threads.
 */
interface AddressPolicy {

	/**
	 * Returns whether the proxy may connect to an address.
	 */
	boolean permits(InetAddress address);

}
