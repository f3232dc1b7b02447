package io.kairo.sandbox.microvm;

import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.JavaOptions;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import io.kairo.sandbox.support.proxy.ProxyTunnels;
import org.jspecify.annotations.Nullable;

/**
 * The environment of commands: the inherited variables of the allow-list, adjusted to the
 * machine, and the variables of the request.
 *
 * @param allowed the allow-list
 * @param proxy the proxy that commands reach; null if there is none
 */
record GuestEnvironment(EnvironmentAllowList allowed, @Nullable AllowListProxy proxy) {

	/** The home directory of commands. */
	static final String HOME = "/home/sandbox";

	/** Half of the limit of execve(2). */
	private static final int MOST_CHARACTERS = 1 << 20;

	/**
	 * Returns the variables of a command.
	 * @throws SandboxException if a variable cannot be passed to a process, or there are
	 * too many
	 */
	Map<String, String> variables(Map<String, String> inherited, SandboxRequest request) {
		Map<String, String> variables = this.allowed.environment(inherited, request.env(), HOME,
				List.of("/usr", "/bin", "/sbin"));
		if (this.proxy != null) {
			this.proxy.addVariables(variables, request, ProxyTunnels.PORT);
		}
		JavaOptions.addTo(variables, HOME);
		List<String> entries = EnvironmentAllowList.entries(variables);
		int characters = entries.stream().mapToInt(String::length).sum();
		if (characters > MOST_CHARACTERS) {
			throw new SandboxException(SandboxErrorCode.INVALID_ENVIRONMENT,
					"An environment of " + entries.size() + " variables with " + characters
							+ " characters is too large: the maximum is " + MOST_CHARACTERS,
					"pass fewer or shorter environment variables");
		}
		return variables;
	}

}
