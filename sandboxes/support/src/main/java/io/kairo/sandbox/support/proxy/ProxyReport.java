package io.kairo.sandbox.support.proxy;

import java.util.List;

/**
 * The network activity of a command. Immutable.
 *
 * @param allowed number of requests that were forwarded
 * @param refused number of requests that were refused
 * @param sent number of bytes sent to hosts, on closed connections
 * @param received number of bytes received from hosts, on closed connections
 * @param refusals the first 20 different refusals with their reasons, sorted, such as
 * {@code example.org:443 (not_listed)}, copied
 */
public record ProxyReport(long allowed, long refused, long sent, long received, List<String> refusals) {

	/**
	 * Creates the value.
	 */
	public ProxyReport {
		refusals = List.copyOf(refusals);
	}

}
