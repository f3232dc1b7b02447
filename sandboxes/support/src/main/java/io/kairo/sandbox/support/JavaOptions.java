package io.kairo.sandbox.support;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The options with which Java programs use the directories and the proxy that the
 * environment of a command names. Without them, the home directory is that of the user
 * database, temporary files are in {@code /tmp}, and there is no proxy.
 */
public final class JavaOptions {

	private static final String NAME = "JAVA_TOOL_OPTIONS";

	private static final String TEMPORARY = "/tmp";

	private JavaOptions() {
	}

	/**
	 * Adds the options to an environment, in front of those that it has already.
	 * @param variables the variables of a command; changed by this method
	 * @param home the home directory of the user database, null if it is not known
	 */
	public static void addTo(Map<String, String> variables, @Nullable String home) {
		List<String> options = new ArrayList<>();
		add(options, "user.home", variables.get("HOME"), home);
		add(options, "java.io.tmpdir", variables.get("TMPDIR"), TEMPORARY);
		Stream.of("http", "https")
			.forEach((protocol) -> addProxy(options, protocol, variables.get(protocol + "_proxy")));
		if (variables.containsKey("http_proxy") && variables.containsKey("no_proxy")) {
			String hosts = Stream.of(variables.get("no_proxy").split(","))
				.map((host) -> host.contains(":") ? "[" + host + "]" : host)
				.collect(Collectors.joining("|"));
			add(options, "http.nonProxyHosts", hosts, null);
			// for the HTTP client of Maven 3.9
			add(options, "aether.connector.http.useSystemProperties", "true", null);
		}
		if (!options.isEmpty()) {
			variables.merge(NAME, String.join(" ", options), (others, own) -> own + " " + others);
		}
	}

	private static void addProxy(List<String> options, String protocol, @Nullable String proxy) {
		try {
			URI uri = URI.create((proxy != null) ? proxy : "");
			if (uri.getHost() != null && uri.getPort() > 0) {
				add(options, protocol + ".proxyHost", uri.getHost(), null);
				add(options, protocol + ".proxyPort", "" + uri.getPort(), null);
			}
		}
		catch (IllegalArgumentException ex) {
			// other programs may understand it
		}
	}

	private static void add(List<String> options, String property, @Nullable String value, @Nullable String usual) {
		if (value == null || value.isEmpty() || value.equals(usual) || value.indexOf('"') >= 0
				|| value.indexOf('\n') >= 0) {
			return;
		}
		String option = "-D" + property + "=" + value;
		options.add(option.chars().anyMatch(Character::isWhitespace) ? "\"" + option + "\"" : option);
	}

	/**
	 * Returns the line that each JVM prints about its options.
	 * @param variables the variables of a command
	 * @return the line, null if there are no options
	 */
	public static @Nullable String notice(Map<String, String> variables) {
		String options = variables.get(NAME);
		return (options != null) ? "Picked up " + NAME + ": " + options : null;
	}

}
