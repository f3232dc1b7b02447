package io.kairo.sandbox.bubblewrap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.JavaOptions;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import org.jspecify.annotations.Nullable;

/**
 * The environment of commands: the inherited variables of the allow-list, adjusted to the
 * sandbox, and the variables of the request.
 */
final class SandboxEnvironment {

	/** Bubblewrap accepts 9000 arguments and needs three for each variable. */
	private static final int MOST_ENTRIES = 2000;

	/** Half of the limit of execve(2). */
	private static final int MOST_CHARACTERS = 1 << 20;

	private final EnvironmentAllowList allowed;

	private final List<String> visible = new ArrayList<>(List.of("/usr", "/bin", "/sbin"));

	private final @Nullable AllowListProxy proxy;

	/**
	 * Creates the environment.
	 * @param proxy the proxy that commands reach; null if there is none
	 */
	SandboxEnvironment(BubblewrapOptions options, @Nullable AllowListProxy proxy) {
		this.proxy = proxy;
		this.allowed = new EnvironmentAllowList(options.commands().inheritEnv());
		options.commands().readOnlyPaths().forEach((path) -> this.visible.add(path.toString()));
	}

	/**
	 * Returns the variables of a command.
	 * @throws SandboxException if a variable cannot be passed to a process, or there are
	 * too many
	 */
	Map<String, String> variables(Map<String, String> inherited, SandboxRequest request) {
		Map<String, String> entries = this.allowed.environment(inherited, request.env(), ControlDirectory.HOME,
				this.visible);
		if (this.proxy != null) {
			this.proxy.addVariables(entries, request, RelayProgram.PORT);
		}
		JavaOptions.addTo(entries, ControlDirectory.HOME);
		int characters = entries.entrySet()
			.stream()
			.mapToInt((entry) -> entry.getKey().length() + entry.getValue().length())
			.sum();
		if (entries.size() > MOST_ENTRIES || characters > MOST_CHARACTERS) {
			throw new SandboxException(SandboxErrorCode.INVALID_ENVIRONMENT,
					"An environment of " + entries.size() + " variables with " + characters
							+ " characters is too large: the maximum is " + MOST_ENTRIES + " and " + MOST_CHARACTERS,
					"pass fewer or shorter environment variables");
		}
		return entries;
	}

	/**
	 * Returns variables as arguments for bubblewrap.
	 */
	static List<String> arguments(Map<String, String> variables) {
		List<String> arguments = new ArrayList<>(List.of("--clearenv"));
		variables.forEach((name, value) -> arguments.addAll(List.of("--setenv", name, value)));
		return arguments;
	}

}
