package io.kairo.sandbox.process;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.backend.CapabilityReport;
import io.kairo.sandbox.support.limits.ResourceLimits;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of processes of the host, with reasons for the missing ones.
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
		CapabilityReport report = new CapabilityReport().lackAll(HOST);
		if (readOnlyProblem == null) {
			report.claim(SandboxCapability.READ_ONLY,
					"a mount namespace without capabilities; directories that are not read-only are open to the command");
		}
		else {
			report.lack(SandboxCapability.READ_ONLY, readOnlyProblem + ", so read-only requests are refused");
		}
		if (groupProblem == null) {
			report.claim(SandboxCapability.TREE_KILL,
					"a control group for each command; only one that may write to the control groups of the host, as root may, can leave it");
		}
		else {
			report.lack(SandboxCapability.TREE_KILL, groupProblem + ", so this is best effort: a process that clears "
					+ "its environment and leaves its session and its parents is not found");
		}
		if (cpuTimeMeans != null) {
			report.claim(SandboxCapability.CPU_TIME, cpuTimeMeans);
		}
		else {
			report.lack(SandboxCapability.CPU_TIME, "the Java platform starts commands, and does not measure it");
		}
		report.lack(SandboxCapability.SURVIVES_NO_JVM,
				"an orderly shutdown ends commands; after kill -9 of the JVM they run on, " + ((groupProblem == null)
						? "until the next use of a sandbox in the same control group" : "and are not ended"))
			.lack(SandboxCapability.ENV_ISOLATION,
					"commands are given an allow-list, but can read /proc/<pid>/environ of the JVM")
			.lack(SandboxCapability.MOUNTS, "commands see directories of the host at their own paths")
			.lack(SandboxCapability.PROTECTED_PATHS, HOST + ", so protected paths are refused")
			.claim(SandboxCapability.STDIN, "a pipe")
			.lack(SandboxCapability.SIGNAL_DISTINCT,
					"the Java platform reports death by a signal as an exit code above 128");
		limits.describe(report);
		return report.of("process");
	}

}
