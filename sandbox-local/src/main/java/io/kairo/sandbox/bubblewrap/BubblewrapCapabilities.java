package io.kairo.sandbox.bubblewrap;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions.Network;
import io.kairo.sandbox.support.limits.ResourceLimits;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of bubblewrap, with reasons for those that it does not have.
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
	static SandboxCapabilities of(@Nullable BubblewrapProblem problem, Network network, ResourceLimits limits) {
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		if (problem != null) {
			for (SandboxCapability capability : SandboxCapability.values()) {
				reasons.put(capability, problem.toString());
			}
			return SandboxCapabilities.of("bubblewrap", EnumSet.noneOf(SandboxCapability.class), reasons);
		}
		EnumSet<SandboxCapability> enforced = EnumSet.of(SandboxCapability.READ_ONLY, SandboxCapability.TREE_KILL,
				SandboxCapability.FILE_CONFINEMENT, SandboxCapability.MOUNTS, SandboxCapability.PROTECTED_PATHS,
				SandboxCapability.ENV_ISOLATION, SandboxCapability.STDIN, SandboxCapability.SURVIVES_NO_JVM);
		reasons.put(SandboxCapability.READ_ONLY, "a read-only mount, and no capability to change it");
		reasons.put(SandboxCapability.TREE_KILL, "a PID namespace for each command");
		reasons.put(SandboxCapability.SURVIVES_NO_JVM,
				"the kernel ends the PID namespace with the JVM; a watching process ends sandboxes that were being set up");
		reasons.put(SandboxCapability.FILE_CONFINEMENT,
				"a root file system of its own with /usr, a few files of /etc, the workspace and its mounts");
		reasons.put(SandboxCapability.MOUNTS, "bind mounts");
		reasons.put(SandboxCapability.PROTECTED_PATHS, "read-only mounts, in directories that cannot be renamed");
		reasons.put(SandboxCapability.ENV_ISOLATION, "an allow-list, and a /proc without processes of the host");
		reasons.put(SandboxCapability.STDIN, "a pipe");
		reasons.put(SandboxCapability.SIGNAL_DISTINCT,
				"bubblewrap reports death by a signal as an exit code above 128");
		limits.describe(enforced, reasons);
		if (limits.measureCpuTime()) {
			enforced.add(SandboxCapability.CPU_TIME);
			reasons.put(SandboxCapability.CPU_TIME, "the accounting of the control group that limits a command");
		}
		else {
			reasons.put(SandboxCapability.CPU_TIME,
					"a command has no control group that accounts for it, as it has with limits of memory, "
							+ "processors or processes and version 2 of control groups");
		}
		if (network == Network.NONE) {
			enforced.add(SandboxCapability.NETWORK_OFF);
			reasons.put(SandboxCapability.NETWORK_OFF, "a network namespace with a loopback interface only");
		}
		else {
			reasons.put(SandboxCapability.NETWORK_OFF,
					"commands have " + ((network == Network.HOST) ? "the network of the host" : "the hosts of a list"));
		}
		if (network == Network.ALLOW_LIST) {
			enforced.add(SandboxCapability.NETWORK_ALLOW_LIST);
			reasons.put(SandboxCapability.NETWORK_ALLOW_LIST,
					"a network namespace with a loopback interface only, and a proxy on the host");
		}
		else {
			reasons.put(SandboxCapability.NETWORK_ALLOW_LIST, "no list of hosts is configured");
		}
		return SandboxCapabilities.of("bubblewrap", enforced, reasons);
	}

}
