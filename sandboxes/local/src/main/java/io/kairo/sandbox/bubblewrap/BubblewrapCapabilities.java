package io.kairo.sandbox.bubblewrap;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.CapabilityReport;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.limits.ResourceLimits;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of bubblewrap, with reasons for the missing ones.
 */
final class BubblewrapCapabilities {

	private BubblewrapCapabilities() {
	}

	/**
	 * Returns the capabilities.
	 * @param problem the problem that prevents the use of bubblewrap, or null
	 * @param network the network access of commands
	 * @param limits the resource limits of commands
	 */
	static SandboxCapabilities of(@Nullable BackendProblem problem, Network network, ResourceLimits limits) {
		CapabilityReport report = new CapabilityReport();
		if (problem != null) {
			return report.lackAll(problem.toString()).of("bubblewrap");
		}
		report.claim(SandboxCapability.READ_ONLY, "a read-only mount, and no capability to change it")
			.claim(SandboxCapability.TREE_KILL, "a PID namespace for each command")
			.claim(SandboxCapability.SURVIVES_NO_JVM,
					"the kernel ends the PID namespace with the JVM; a watching process ends sandboxes that were being set up")
			.claim(SandboxCapability.FILE_CONFINEMENT,
					"a root file system of its own with /usr, a few files of /etc, the workspace and its mounts")
			.claim(SandboxCapability.MOUNTS, "bind mounts")
			.claim(SandboxCapability.PROTECTED_PATHS, "read-only mounts, in directories that cannot be renamed")
			.claim(SandboxCapability.ENV_ISOLATION, "an allow-list, and a /proc without processes of the host")
			.claim(SandboxCapability.STDIN, "a pipe")
			.lack(SandboxCapability.SIGNAL_DISTINCT, "bubblewrap reports death by a signal as an exit code above 128");
		limits.describe(report);
		if (limits.measureCpuTime()) {
			report.claim(SandboxCapability.CPU_TIME, "the accounting of the control group that limits a command");
		}
		else {
			report.lack(SandboxCapability.CPU_TIME,
					"a command has no control group that accounts for it, as it has with limits of memory, "
							+ "processors or processes and version 2 of control groups");
		}
		if (network == Network.NONE) {
			report.claim(SandboxCapability.NETWORK_OFF, "a network namespace with a loopback interface only");
		}
		else {
			report.lack(SandboxCapability.NETWORK_OFF,
					"commands have " + ((network == Network.HOST) ? "the network of the host" : "the hosts of a list"));
		}
		report.claim(SandboxCapability.NETWORK_OFF_ON_REQUEST, "a network namespace with a loopback interface only");
		if (network == Network.ALLOW_LIST) {
			report.claim(SandboxCapability.NETWORK_ALLOW_LIST,
					"a network namespace with a loopback interface only, and a proxy on the host");
		}
		else {
			report.lack(SandboxCapability.NETWORK_ALLOW_LIST, "no list of hosts is configured");
		}
		return report.of("bubblewrap");
	}

}
