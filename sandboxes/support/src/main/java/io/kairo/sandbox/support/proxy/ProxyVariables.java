package io.kairo.sandbox.support.proxy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The environment variables that configure programs to use a proxy.
 */
public final class ProxyVariables {

	private static final List<String> NAMES = List.of("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY",
			"HTTPS_PROXY", "ALL_PROXY");

	private static final String GIT_COUNT = "GIT_CONFIG_COUNT";

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
		variables.put("NODE_USE_ENV_PROXY", "1");
		return variables;
	}

	/**
	 * Adds the variables that a command needs to use a proxy. Those of the request remain
	 * as they are.
	 * @param variables the variables of the command; changed by this method
	 * @param requested the variables of the request
	 * @param port the port of the proxy
	 * @param hosts the hosts that Git has to address by {@code http}
	 */
	static void add(Map<String, String> variables, Map<String, String> requested, int port, List<String> hosts) {
		of(port).forEach((name, value) -> {
			if (!requested.containsKey(name)) {
				variables.put(name, value);
			}
		});
		String count = variables.getOrDefault(GIT_COUNT, "0");
		if (hosts.isEmpty() || !count.matches("\\d{1,4}")) {
			return;
		}
		int next = Integer.parseInt(count);
		for (String host : hosts) {
			variables.put("GIT_CONFIG_KEY_" + next, "url.http://" + host + "/.insteadOf");
			variables.put("GIT_CONFIG_VALUE_" + next, "https://" + host + "/");
			next++;
		}
		variables.put(GIT_COUNT, "" + next);
	}

}
