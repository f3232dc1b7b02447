package io.kairo.sandbox.support;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

/**
 * The entries of the JVM's environment that commands get to see; all others are theirs to
 * ask for. Immutable.
 *
 * @param names names of entries; one that ends in {@code *} stands for all names that
 * begin like it, {@code *} alone for all
 * @since 0.1.0
 */
public record EnvironmentAllowList(List<String> names) {

	/**
	 * What commands get to see unless configured otherwise: {@code PATH}, {@code LANG}
	 * and {@code HOME}.
	 */
	public static final List<String> DEFAULT_NAMES = List.of("PATH", "LANG", "HOME");

	/** MAX_ARG_STRLEN of Linux, see execve(2), with the NUL at the end. */
	private static final int MOST_BYTES = 128 * 1024;

	/**
	 * Creates the value.
	 * @param names names of entries, copied
	 * @throws IllegalArgumentException if a name is blank or contains {@code =}
	 */
	public EnvironmentAllowList {
		names = List.copyOf(names);
		for (String name : names) {
			if (name.isBlank() || name.indexOf('=') >= 0) {
				throw new IllegalArgumentException("'" + name
						+ "' is no name of an environment variable: use names such as PATH, prefixes such as LC_*, or *");
			}
		}
	}

	/**
	 * Returns the environment of a command.
	 * @param inherited the environment of the JVM
	 * @param requested entries of the command's own, which take precedence
	 * @return a map of the caller's own
	 * @throws SandboxException if an entry cannot be handed to a process
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
	 * Checks an entry. Values may be secrets and are not told.
	 */
	private static void check(String name, String value) {
		if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
			throw invalid("'" + name.replace('\0', '?') + "' is no name of an environment variable",
					"use a name that is not empty and has no '=' or NUL in it");
		}
		if (value.indexOf('\0') >= 0) {
			throw invalid("The environment variable " + name + " contains a NUL character", "remove it");
		}
		String entry = name + "=" + value;
		int length = entry.getBytes(StandardCharsets.UTF_8).length;
		if (length >= MOST_BYTES) {
			throw invalid("The environment variable " + name + " takes " + length + " bytes, a process can be given "
					+ (MOST_BYTES - 1), "write the value to a file and pass the name of that");
		}
		for (Charset charset : PlatformCharsets.ofArguments()) {
			if (!charset.newEncoder().canEncode(entry)) {
				throw invalid("The environment variable " + name + " cannot be written in " + charset,
						"start the JVM in a UTF-8 locale, for instance with LC_ALL=C.UTF-8");
			}
		}
	}

	private static SandboxException invalid(String message, String remedy) {
		return new SandboxException(SandboxErrorCode.INVALID_ENVIRONMENT, message, remedy);
	}

}
