package io.kairo.sandbox.bubblewrap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.StringTokenizer;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.EnvironmentAllowList;
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

	private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

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
	 * Returns the arguments for bubblewrap.
	 * @throws SandboxException if a variable cannot be passed to a process, or there are
	 * too many
	 */
	List<String> arguments(Map<String, String> inherited, SandboxRequest request) {
		Map<String, String> entries = this.allowed.environment(inherited, request.env());
		if (!request.env().containsKey("HOME") && entries.containsKey("HOME")) {
			entries.put("HOME", ControlDirectory.HOME);
		}
		if (!request.env().containsKey("PATH") && entries.containsKey("PATH")) {
			entries.put("PATH", path(entries.get("PATH")));
		}
		if (this.proxy != null) {
			this.proxy.addVariables(entries, request, RelayProgram.PORT);
		}
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
		List<String> arguments = new ArrayList<>(List.of("--clearenv"));
		entries.forEach((name, value) -> arguments.addAll(List.of("--setenv", name, value)));
		return arguments;
	}

	private String path(String path) {
		StringJoiner kept = new StringJoiner(":").setEmptyValue(USUAL_PATH);
		for (StringTokenizer directories = new StringTokenizer(path, ":"); directories.hasMoreTokens();) {
			String directory = directories.nextToken();
			if (isVisible(directory)) {
				kept.add(directory);
			}
		}
		return kept.toString();
	}

	private boolean isVisible(String directory) {
		for (String shown : this.visible) {
			if (directory.startsWith(shown)
					&& (directory.length() == shown.length() || directory.charAt(shown.length()) == '/')) {
				return true;
			}
		}
		return false;
	}

}
