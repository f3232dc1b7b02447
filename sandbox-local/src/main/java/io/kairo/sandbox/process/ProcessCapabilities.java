package io.kairo.sandbox.process;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.support.limits.ResourceLimits;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of processes of the host, with reasons for those that are missing.
 */
final class ProcessCapabilities {

	private static final String HOST = "commands run on the host with the rights of the JVM";

	private ProcessCapabilities() {
	}

	/**
	 * Returns the capabilities.
	 * @param readOnlyProblem the problem that prevents read-only commands, or null
	 * @param groupProblem the problem that prevents control groups, or null
	 * @param limits the resource limits of commands
	 * @param cpuTimeMeans how CPU time is measured, null if it is not
	 */
	static SandboxCapabilities of(@Nullable String readOnlyProblem, @Nullable String groupProblem,
			ResourceLimits limits, @Nullable String cpuTimeMeans) {
		EnumSet<SandboxCapability> enforced = EnumSet.of(SandboxCapability.STDIN);
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		for (SandboxCapability capability : SandboxCapability.values()) {
			reasons.put(capability, HOST);
		}
		if (readOnlyProblem == null) {
			enforced.add(SandboxCapability.READ_ONLY);
			reasons.put(SandboxCapability.READ_ONLY,
					"a mount namespace without capabilities; directories that are not read-only are open to the command");
		}
		else {
			reasons.put(SandboxCapability.READ_ONLY, readOnlyProblem + ", so read-only requests are refused");
		}
		if (groupProblem == null) {
			enforced.add(SandboxCapability.TREE_KILL);
			reasons.put(SandboxCapability.TREE_KILL,
					"a control group for each command; only one that may write to the control groups of the host, as root may, can leave it");
		}
		else {
			reasons.put(SandboxCapability.TREE_KILL, groupProblem + ", so this is best effort: a process that clears "
					+ "its environment and leaves its session and its parents is not found");
		}
		reasons.put(SandboxCapability.SURVIVES_NO_JVM,
				"an orderly shutdown ends commands; after kill -9 of the JVM they run on, " + ((groupProblem == null)
						? "until the next use of a sandbox in the same control group" : "and are not ended"));
		reasons.put(SandboxCapability.ENV_ISOLATION,
				"commands are given an allow-list, but can read /proc/<pid>/environ of the JVM");
		reasons.put(SandboxCapability.MOUNTS, "commands see directories of the host at their own paths");
		reasons.put(SandboxCapability.PROTECTED_PATHS, HOST + ", so protected paths are refused");
		reasons.put(SandboxCapability.STDIN, "a pipe");
		reasons.put(SandboxCapability.SIGNAL_DISTINCT,
				"the Java platform reports death by a signal as an exit code above 128");
		if (cpuTimeMeans != null) {
			enforced.add(SandboxCapability.CPU_TIME);
		}
		reasons.put(SandboxCapability.CPU_TIME,
				(cpuTimeMeans != null) ? cpuTimeMeans : "the Java platform starts commands, and does not measure it");
		limits.describe(enforced, reasons);
		return SandboxCapabilities.of("process", enforced, reasons);
	}

}
