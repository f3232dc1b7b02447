package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Looks up addresses. Safe for use by several threads.
 */
interface NameResolver {

	/**
	 * Returns the addresses of a host, the best first.
	 * @throws UnknownHostException if there are none
	 */
	List<InetAddress> resolve(String host) throws UnknownHostException;

}
