package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.util.List;

/**
 * Creates proxies for tests, which resolve every host to the loopback interface and
 * permit connections to it.
 */
public final class LoopbackProxy {

	private LoopbackProxy() {
	}

	public static AllowListProxy allowing(List<String> hosts) {
		return allowing(AllowList.of(hosts));
	}

	public static AllowListProxy allowing(AllowList hosts) {
		return new AllowListProxy(hosts, (host) -> List.of(InetAddress.getLoopbackAddress()), (address) -> true,
				ProxyLimits.DEFAULT);
	}

}
