package io.kairo.sandbox.support.proxy;

import java.util.List;

/**
 * What a command has done on the network.
 *
 * @param allowed how many requests went to their host
 * @param refused how many did not
 * @param sent how many bytes went to hosts, of connections that have ended
 * @param received how many bytes came from hosts, of connections that have ended
 * @param refusals what was refused, with the reason, sorted; the first 20 that differ,
 * such as {@code example.org:443 (not_listed)}
 * @since 0.1.0
 */
public record ProxyReport(long allowed, long refused, long sent, long received, List<String> refusals) {

	/**
	 * Creates the value.
	 * @param allowed how many requests went to their host
	 * @param refused how many did not
	 * @param sent how many bytes went to hosts
	 * @param received how many bytes came from hosts
	 * @param refusals what was refused, copied
	 */
	public ProxyReport {
		refusals = List.copyOf(refusals);
	}

}
