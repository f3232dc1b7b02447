package io.kairo.sandbox.support.proxy;

import java.time.Duration;

/**
 * Limits of the proxy for one command. The total time is limited by the timeout of the
 * command.
 *
 * @param connections maximum number of connections at a time; further connections wait
 * @param headBytes maximum size of the head of a request, in bytes
 * @param headTimeout timeout for the head of a request
 * @param connectTimeout timeout for a connection to each address of a host
 * @param idleTimeout timeout of a connection without traffic
 */
record ProxyLimits(int connections, int headBytes, Duration headTimeout, Duration connectTimeout,
		Duration idleTimeout) {

	static final ProxyLimits DEFAULT = new ProxyLimits(64, 16384, Duration.ofSeconds(10), Duration.ofSeconds(10),
			Duration.ofSeconds(120));

}
