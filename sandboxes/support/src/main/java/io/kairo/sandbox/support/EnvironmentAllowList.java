package io.kairo.sandbox.support;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

/**
 * The allow-list of environment variables that commands inherit from the JVM. A request
 * has to set all others itself. Immutable.
 *
 * @param names names of variables; a name that ends in {@code *} is a prefix, {@code *}
 * alone stands for all; copied
 */
public record EnvironmentAllowList(List<String> names) {

	/**
	 * The default names: {@code PATH}, {@code LANG} and {@code HOME}.
	 */
	public static final List<String> DEFAULT_NAMES = List.of("PATH", "LANG", "HOME");

	/** For a command that sees no directory of the inherited one. */
	private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

	/** MAX_ARG_STRLEN of Linux, see execve(2), including the final NUL. */
	private static final int MOST_BYTES = 128 * 1024;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a name is blank or contains {@code =}
	 */
	public EnvironmentAllowList {
		names = List.copyOf(names);
		for (String name : names) {
			if (name.isBlank() || name.indexOf('=') >= 0) {
				throw new IllegalArgumentException("'" + name
						+ "' is not a name of an environment variable: use names such as PATH, prefixes such as LC_*, or *");
			}
		}
	}

	/**
	 * Returns the environment of a command.
	 * @param inherited the environment of the JVM
	 * @param requested the variables of the request; they take precedence
	 * @return a new map
	 * @throws SandboxException if a variable cannot be passed to a process
	 */
	public Map<String, String> environment(Map<String, String> inherited, Map<String, String> requested) {
		Map<String, String> environment = new HashMap<>();
		inherited.forEach((name, value) -> {
			if (allows(name)) {
				environment.put(name, value);
			}
		});
		requested.forEach((name, value) -> {
			check(name, value);
			environment.put(name, value);
		});
		return environment;
	}

	/**
	 * Returns the environment of a command that sees only some directories of the host.
	 * @param inherited the environment of the JVM
	 * @param requested the variables of the request; they take precedence
	 * @param home the value of {@code HOME} if that is inherited
	 * @param visible the directories that remain in {@code PATH} if that is inherited
	 * @return a new map
	 * @throws SandboxException if a variable cannot be passed to a process
	 */
	public Map<String, String> environment(Map<String, String> inherited, Map<String, String> requested, String home,
			List<String> visible) {
		Map<String, String> environment = environment(inherited, requested);
		if (!requested.containsKey("HOME")) {
			environment.computeIfPresent("HOME", (name, value) -> home);
		}
		if (!requested.containsKey("PATH")) {
			environment.computeIfPresent("PATH", (name, value) -> path(value, visible));
		}
		return environment;
	}

	/**
	 * Returns an environment in the form that a process receives.
	 * @param environment the variables
	 * @return the entries, each {@code name=value}
	 */
	public static List<String> entries(Map<String, String> environment) {
		return environment.entrySet().stream().map((entry) -> entry.getKey() + "=" + entry.getValue()).toList();
	}

	private static String path(String path, List<String> visible) {
		String kept = Stream.of(path.split(":", -1))
			.filter((directory) -> visible.stream().anyMatch((shown) -> (directory + "/").startsWith(shown + "/")))
			.collect(Collectors.joining(":"));
		return kept.isEmpty() ? USUAL_PATH : kept;
	}

	private boolean allows(String name) {
		for (String allowed : this.names) {
			boolean prefix = allowed.endsWith("*");
			if (prefix ? name.startsWith(allowed.substring(0, allowed.length() - 1)) : name.equals(allowed)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Checks a variable. Messages do not contain its value, since it may be secret.
	 */
	private static void check(String name, String value) {
		if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
			throw invalid("'" + name.replace('\0', '?') + "' is not a name of an environment variable",
					"use a name that is not empty and contains no '=' or NUL");
		}
		if (value.indexOf('\0') >= 0) {
			throw invalid("The environment variable " + name + " contains a NUL character", "remove it");
		}
		String entry = name + "=" + value;
		int length = entry.getBytes(StandardCharsets.UTF_8).length;
		if (length >= MOST_BYTES) {
			throw invalid("The environment variable " + name + " takes " + length + " bytes, the maximum is "
					+ (MOST_BYTES - 1), "write the value to a file and pass the name of the file");
		}
		for (Charset charset : PlatformCharsets.ofArguments()) {
			if (!charset.newEncoder().canEncode(entry)) {
				throw invalid("The environment variable " + name + " cannot be encoded in " + charset,
						"start the JVM in a UTF-8 locale, for instance with LC_ALL=C.UTF-8");
			}
		}
	}

	private static SandboxException invalid(String message, String remedy) {
		return new SandboxException(SandboxErrorCode.INVALID_ENVIRONMENT, message, remedy);
	}

}
