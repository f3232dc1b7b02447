package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Resolves host names. Safe for use by several threads.
 */
interface NameResolver {

	/**
	 * Returns the addresses of a host, the preferred one first.
	 * @throws UnknownHostException if there are none
	 */
	List<InetAddress> resolve(String host) throws UnknownHostException;

}
