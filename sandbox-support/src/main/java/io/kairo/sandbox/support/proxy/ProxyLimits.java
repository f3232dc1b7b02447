package io.kairo.sandbox.support.proxy;

import java.time.Duration;

/**
 * What one command may take of the proxy. How long all of it may take is the timeout of
 * the command.
 *
 * @param connections how many connections at a time; further ones wait
 * @param headBytes how long the head of a request may be
 * @param headTimeout how long the head of a request may take
 * @param connectTimeout how long a host may take to answer, for each of its addresses
 * @param idleTimeout how long nothing may happen on a connection
 */
record ProxyLimits(int connections, int headBytes, Duration headTimeout, Duration connectTimeout,
		Duration idleTimeout) {

	static final ProxyLimits DEFAULT = new ProxyLimits(64, 16384, Duration.ofSeconds(10), Duration.ofSeconds(10),
			Duration.ofSeconds(120));

}
