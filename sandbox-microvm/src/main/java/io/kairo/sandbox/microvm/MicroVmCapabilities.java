package io.kairo.sandbox.microvm;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of virtual machines, with reasons for those that they do not have.
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
	static SandboxCapabilities of(@Nullable MicroVmProblem problem, boolean emulated, MicroVmOptions options,
			boolean proxied) {
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		EnumSet<SandboxCapability> enforced = EnumSet.noneOf(SandboxCapability.class);
		if (problem != null) {
			for (SandboxCapability capability : SandboxCapability.values()) {
				reasons.put(capability, problem.toString());
			}
			return SandboxCapabilities.of("microvm", enforced, reasons);
		}
		CommandLimits limits = options.commandLimits();
		reasons.put(SandboxCapability.READ_ONLY, "a read-only mount of the host that the machine sees");
		reasons.put(proxied ? SandboxCapability.NETWORK_ALLOW_LIST : SandboxCapability.NETWORK_OFF,
				"a virtual machine without a network device" + (proxied ? ", and a proxy outside" : ""));
		reasons.put(SandboxCapability.TREE_KILL, "a PID namespace of the machine for each command");
		reasons.put(SandboxCapability.SURVIVES_NO_JVM,
				"the kernel ends the emulator with the JVM; a watching process ends machines that were being started");
		reasons.put(SandboxCapability.FILE_CONFINEMENT,
				"a file system of the host with /usr, a few files of /etc, the workspace and its mounts only"
						+ (emulated ? "; machines are emulated, which is a weaker boundary" : ""));
		reasons.put(SandboxCapability.MOUNTS, "mounts of the host that the machine sees");
		reasons.put(SandboxCapability.PROTECTED_PATHS,
				"read-only mounts of the host, in directories that cannot be renamed");
		reasons.put(SandboxCapability.ENV_ISOLATION, "an allow-list, and a machine without processes of the host");
		reasons.put(SandboxCapability.STDIN, "a pipe");
		reasons.put(SandboxCapability.SIGNAL_DISTINCT, "the agent reports the status of the shell");
		reasons.put(SandboxCapability.MEMORY_LIMIT, limits.memoryBytes()
				+ " bytes of memory, by a control group of the machine, which has " + options.memoryBytes());
		reasons.put(SandboxCapability.CPU_LIMIT, options.cpus() + " processors of the machine");
		reasons.put(SandboxCapability.PIDS_LIMIT, limits.pids() + " processes, by a control group of the machine");
		reasons.put(SandboxCapability.CPU_TIME, "the accounting of a control group of the machine");
		enforced.addAll(reasons.keySet());
		String size = limits.set().get(SandboxCapability.FILE_SIZE_LIMIT);
		if (size != null) {
			enforced.add(SandboxCapability.FILE_SIZE_LIMIT);
		}
		reasons.put(SandboxCapability.FILE_SIZE_LIMIT, (size != null) ? size + ", by setrlimit" : "no limit is set");
		reasons.putIfAbsent(SandboxCapability.NETWORK_ALLOW_LIST, "commands have no network");
		reasons.putIfAbsent(SandboxCapability.NETWORK_OFF, "commands have the hosts of a list");
		return SandboxCapabilities.of("microvm", enforced, reasons);
	}

}
