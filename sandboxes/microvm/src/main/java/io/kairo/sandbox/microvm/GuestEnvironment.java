package io.kairo.sandbox.microvm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.StringTokenizer;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import io.kairo.sandbox.support.proxy.ProxyTunnels;
import org.jspecify.annotations.Nullable;

/**
 * The environment of commands: the inherited variables of the allow-list, adjusted to the
 * machine, and the variables of the request.
 */
final class GuestEnvironment {

	/** The home directory of commands. */
	static final String HOME = "/home/sandbox";

	/** Half of the limit of execve(2). */
	private static final int MOST_CHARACTERS = 1 << 20;

	private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

	private final EnvironmentAllowList allowed;

	private final @Nullable AllowListProxy proxy;

	GuestEnvironment(EnvironmentAllowList allowed, @Nullable AllowListProxy proxy) {
		this.allowed = allowed;
		this.proxy = proxy;
	}

	/**
	 * Returns the entries of the environment.
	 * @throws SandboxException if a variable cannot be passed to a process, or there are
	 * too many
	 */
	List<String> entries(Map<String, String> inherited, SandboxRequest request) {
		Map<String, String> variables = this.allowed.environment(inherited, request.env());
		if (!request.env().containsKey("HOME") && variables.containsKey("HOME")) {
			variables.put("HOME", HOME);
		}
		if (!request.env().containsKey("PATH") && variables.containsKey("PATH")) {
			variables.put("PATH", path(variables.getOrDefault("PATH", "")));
		}
		if (this.proxy != null) {
			this.proxy.addVariables(variables, request, ProxyTunnels.PORT);
		}
		List<String> entries = new ArrayList<>();
		variables.forEach((name, value) -> entries.add(name + "=" + value));
		int characters = entries.stream().mapToInt(String::length).sum();
		if (characters > MOST_CHARACTERS) {
			throw new SandboxException(SandboxErrorCode.INVALID_ENVIRONMENT,
					"An environment of " + entries.size() + " variables with " + characters
							+ " characters is too large: the maximum is " + MOST_CHARACTERS,
					"pass fewer or shorter environment variables");
		}
		return entries;
	}

	private static String path(String path) {
		StringJoiner kept = new StringJoiner(":").setEmptyValue(USUAL_PATH);
		for (StringTokenizer directories = new StringTokenizer(path, ":"); directories.hasMoreTokens();) {
			String directory = directories.nextToken();
			if (Stream.of("/usr", "/bin", "/sbin").anyMatch((shown) -> (directory + "/").startsWith(shown + "/"))) {
				kept.add(directory);
			}
		}
		return kept.toString();
	}

}
