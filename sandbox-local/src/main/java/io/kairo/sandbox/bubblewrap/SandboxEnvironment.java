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
import io.kairo.sandbox.support.proxy.ProxyVariables;

/**
 * The environment of commands: what the allow-list lets through, as far as it means
 * something in the sandbox, and what the request adds.
 */
final class SandboxEnvironment {

	/** Bubblewrap takes 9000 arguments, three for each entry. */
	private static final int MOST_ENTRIES = 2000;

	/** Half of what execve(2) takes. */
	private static final int MOST_CHARACTERS = 1 << 20;

	private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

	private final EnvironmentAllowList allowed;

	private final List<String> visible = new ArrayList<>(List.of("/usr", "/bin", "/sbin"));

	private final boolean proxied;

	SandboxEnvironment(BubblewrapOptions options) {
		this.proxied = options.network() == BubblewrapOptions.Network.ALLOW_LIST;
		this.allowed = new EnvironmentAllowList(options.inheritEnv());
		options.readOnlyPaths().forEach((path) -> this.visible.add(path.toString()));
	}

	/**
	 * Returns the arguments for bubblewrap.
	 * @throws SandboxException if an entry cannot be handed to a process, or there are
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
		if (this.proxied) {
			ProxyVariables.of(RelayProgram.PORT).forEach((name, value) -> {
				if (!request.env().containsKey(name)) {
					entries.put(name, value);
				}
			});
		}
		int characters = entries.entrySet()
			.stream()
			.mapToInt((entry) -> entry.getKey().length() + entry.getValue().length())
			.sum();
		if (entries.size() > MOST_ENTRIES || characters > MOST_CHARACTERS) {
			throw new SandboxException(SandboxErrorCode.INVALID_ENVIRONMENT,
					"An environment of " + entries.size() + " variables with " + characters
							+ " characters is too large: a sandbox takes " + MOST_ENTRIES + " and " + MOST_CHARACTERS,
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
