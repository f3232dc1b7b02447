package io.kairo.sandbox.support.proxy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The environment variables that configure programs to use a proxy.
 *
 * @since 0.1.0
 */
public final class ProxyVariables {

	private static final List<String> NAMES = List.of("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY",
			"HTTPS_PROXY", "ALL_PROXY");

	private ProxyVariables() {
	}

	/**
	 * Returns the variables for a proxy on the loopback interface of commands.
	 * @param port the port of the proxy
	 * @return a new map of names and values
	 */
	public static Map<String, String> of(int port) {
		Map<String, String> variables = new LinkedHashMap<>();
		NAMES.forEach((name) -> variables.put(name, "http://127.0.0.1:" + port));
		List.of("no_proxy", "NO_PROXY").forEach((name) -> variables.put(name, "localhost,127.0.0.1,::1"));
		return variables;
	}

}
