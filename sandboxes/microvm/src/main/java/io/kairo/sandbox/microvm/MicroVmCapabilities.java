package io.kairo.sandbox.microvm;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.CapabilityReport;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of virtual machines, with reasons for the missing ones.
 */
final class MicroVmCapabilities {

	private MicroVmCapabilities() {
	}

	/**
	 * Returns the capabilities.
	 * @param problem the problem that prevents the use of machines, or null
	 * @param emulated whether machines are emulated
	 * @param proxied whether commands reach the hosts of an allow-list
	 */
	static SandboxCapabilities of(@Nullable BackendProblem problem, boolean emulated, MicroVmOptions options,
			boolean proxied) {
		CapabilityReport report = new CapabilityReport();
		if (problem != null) {
			return report.lackAll(problem.toString()).of("microvm");
		}
		CommandLimits limits = options.commandLimits();
		return report.claim(SandboxCapability.READ_ONLY, "a read-only mount of the host that the machine sees")
			.lack(SandboxCapability.NETWORK_ALLOW_LIST, "commands have no network")
			.lack(SandboxCapability.NETWORK_OFF, "commands have the hosts of a list")
			.claim(proxied ? SandboxCapability.NETWORK_ALLOW_LIST : SandboxCapability.NETWORK_OFF,
					"a virtual machine without a network device" + (proxied ? ", and a proxy outside" : ""))
			.claim(SandboxCapability.NETWORK_OFF_ON_REQUEST, "a virtual machine without a network device")
			.claim(SandboxCapability.TREE_KILL, "a PID namespace of the machine for each command")
			.claim(SandboxCapability.SURVIVES_NO_JVM,
					"the kernel ends the emulator with the JVM; a watching process ends machines that were being started")
			.claim(SandboxCapability.FILE_CONFINEMENT,
					"a file system of the host with /usr, a few files of /etc, the workspace and its mounts only"
							+ (emulated ? "; machines are emulated, which is a weaker boundary" : ""))
			.claim(SandboxCapability.MOUNTS, "mounts of the host that the machine sees")
			.claim(SandboxCapability.PROTECTED_PATHS,
					"read-only mounts of the host, in directories that cannot be renamed")
			.claim(SandboxCapability.ENV_ISOLATION, "an allow-list, and a machine without processes of the host")
			.claim(SandboxCapability.STDIN, "a pipe")
			.claim(SandboxCapability.SIGNAL_DISTINCT, "the agent reports the status of the shell")
			.claim(SandboxCapability.MEMORY_LIMIT,
					limits.memoryBytes() + " bytes of memory, by a control group of the machine, which has "
							+ options.memoryBytes())
			.claim(SandboxCapability.CPU_LIMIT, options.cpus() + " processors of the machine")
			.claim(SandboxCapability.PIDS_LIMIT, limits.pids() + " processes, by a control group of the machine")
			.claim(SandboxCapability.CPU_TIME, "the accounting of a control group of the machine")
			.limit(SandboxCapability.FILE_SIZE_LIMIT, limits.set().get(SandboxCapability.FILE_SIZE_LIMIT), "setrlimit")
			.of("microvm");
	}

}
