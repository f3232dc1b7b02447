package io.kairo.sandbox.landlock;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.linux.LandlockRules;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.CapabilityReport;
import io.kairo.sandbox.support.limits.ResourceLimits;
import io.kairo.sandbox.support.process.NativeProcess;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of Landlock, with reasons for the missing ones.
 */
final class LandlockCapabilities {

	private LandlockCapabilities() {
	}

	/**
	 * Returns the capabilities.
	 * @param problem the problem that prevents the use of Landlock, or null
	 * @param domains the means of processes to enter their domains; null only if there is
	 * a problem
	 * @param network the network access of commands
	 * @param limits the resource limits of commands
	 */
	static SandboxCapabilities of(@Nullable BackendProblem problem, @Nullable Domains domains, boolean network,
			ResourceLimits limits) {
		CapabilityReport report = new CapabilityReport();
		if (problem != null || domains == null) {
			return report.lackAll(String.valueOf(problem)).of("landlock");
		}
		report.claim(SandboxCapability.FILE_CONFINEMENT, "Landlock of version " + domains.abi() + ", by "
				+ domains.means()
				+ ": contents and names; permissions and times of files of the same user can be changed by their paths")
			.claim(SandboxCapability.READ_ONLY,
					"rules without writing, and no system call that changes permissions, owners or times")
			.claim(SandboxCapability.ENV_ISOLATION, "an allow-list, and no access to /proc of other processes")
			.claim(SandboxCapability.STDIN, "a pipe")
			.lack(SandboxCapability.MOUNTS, "commands see directories of the host at their own paths")
			.lack(SandboxCapability.PROTECTED_PATHS,
					"a rule of Landlock holds for everything below a directory, so protected paths are refused")
			.lack(SandboxCapability.SIGNAL_DISTINCT, "death by a signal is reported as an exit code above 128")
			.lack(SandboxCapability.NETWORK_ALLOW_LIST,
					"without a network namespace, a list of hosts cannot be enforced");
		if (domains.killable()) {
			report.claim(SandboxCapability.TREE_KILL, "a signal to the domain of a command, which no process leaves")
				.claim(SandboxCapability.SURVIVES_NO_JVM,
						"a process that waits for the end of the JVM, and then signals the domain of all commands");
		}
		else {
			String problemOfKilling = (domains.abi() < LandlockRules.SCOPE_ABI)
					? domains.abi() + " is the version of Landlock here, and confines signals from 6 on (Linux 6.12)"
					: "domains are entered by " + domains.means() + ", which does not stay to kill them";
			report
				.lack(SandboxCapability.TREE_KILL,
						problemOfKilling + "; this is best effort: a process that clears "
								+ "its environment and leaves its session and its parents is not found")
				.lack(SandboxCapability.SURVIVES_NO_JVM,
						problemOfKilling + "; after kill -9 of the JVM commands run on, and are not ended");
		}
		if (limits.measureCpuTime()) {
			report.claim(SandboxCapability.CPU_TIME, "the accounting of the control group that limits a command");
		}
		else if (domains instanceof NativeDomains) {
			report.claim(SandboxCapability.CPU_TIME, NativeProcess.CPU_TIME_MEANS);
		}
		else {
			report.lack(SandboxCapability.CPU_TIME, "the Java platform starts commands, and does not measure it");
		}
		limits.describe(report);
		String means = "a filter for system calls denies sockets"
				+ ((domains.abi() >= LandlockRules.NETWORK_ABI) ? ", and Landlock denies TCP" : "");
		report.claim(SandboxCapability.NETWORK_OFF_ON_REQUEST, means);
		if (!network) {
			report.claim(SandboxCapability.NETWORK_OFF, means);
		}
		else {
			report.lack(SandboxCapability.NETWORK_OFF, "commands have the network of the host");
		}
		return report.of("landlock");
	}

}
