package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.util.List;

/**
 * Makes proxies for tests: every name leads to the loopback interface, and that is
 * permitted.
 */
public final class LoopbackProxy {

	private LoopbackProxy() {
	}

	public static AllowListProxy to(List<String> hosts) {
		return new AllowListProxy(AllowList.of(hosts), (host) -> List.of(InetAddress.getLoopbackAddress()),
				(address) -> true, ProxyLimits.DEFAULT);
	}

}
