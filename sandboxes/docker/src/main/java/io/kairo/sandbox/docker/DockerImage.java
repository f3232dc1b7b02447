package io.kairo.sandbox.docker;

import java.util.HashMap;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.support.CommandLimits;

/**
 * An image that has passed the self-test.
 *
 * @param id the digest of the image; no tag can change it
 * @param environment the variables of the image, copied
 * @param shell the shell for commands
 * @param boundedSockets whether the memory of sockets is part of a limit of memory
 * @param proof the proof that the mounts of a container match its plan
 * @param limits the limits of resources, of the options or by default
 * @param gaps the limits that the runtime does not enforce, with the reasons, copied
 */
record DockerImage(String id, Map<String, String> environment, String shell, boolean boundedSockets, MountProof proof,
		CommandLimits limits, Map<SandboxCapability, String> gaps) {

	/**
	 * Creates the value.
	 */
	DockerImage {
		environment = Map.copyOf(environment);
		gaps = Map.copyOf(gaps);
	}

	/**
	 * Parses the variables of an image.
	 */
	static Map<String, String> environment(String[] entries) {
		Map<String, String> environment = new HashMap<>();
		for (String entry : entries) {
			int end = entry.indexOf('=');
			if (end > 0) {
				environment.put(entry.substring(0, end), entry.substring(end + 1));
			}
		}
		return environment;
	}

}
