package io.kairo.sandbox.process;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;

/**
 * What holds for a process of the host, and why the rest does not.
 */
final class ProcessCapabilities {

	private static final String HOST = "commands run on the host with the rights of the JVM";

	private ProcessCapabilities() {
	}

	static SandboxCapabilities get() {
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		for (SandboxCapability capability : SandboxCapability.values()) {
			reasons.put(capability, HOST);
		}
		reasons.put(SandboxCapability.READ_ONLY, HOST + ", so read-only requests are refused");
		reasons.put(SandboxCapability.TREE_KILL,
				"best effort: a process that clears its environment and leaves its session and its parents is not found");
		reasons.put(SandboxCapability.SURVIVES_NO_JVM,
				"an orderly shutdown ends commands; after kill -9 of the JVM they run on");
		reasons.put(SandboxCapability.ENV_ISOLATION,
				"commands are given an allow-list, but can read /proc/<pid>/environ of the JVM");
		reasons.put(SandboxCapability.MOUNTS, "commands see directories of the host at their own paths");
		reasons.put(SandboxCapability.PROTECTED_PATHS, HOST + ", so protected paths are refused");
		reasons.put(SandboxCapability.STDIN, "a pipe");
		reasons.put(SandboxCapability.SIGNAL_DISTINCT,
				"the Java platform reports death by a signal as an exit code above 128");
		return SandboxCapabilities.of("process", EnumSet.of(SandboxCapability.STDIN), reasons);
	}

}
