package io.kairo.sandbox.docker;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of containers, with reasons for those that they do not have.
 */
final class DockerCapabilities {

	private DockerCapabilities() {
	}

	/**
	 * Returns the capabilities.
	 * @param problem the problem that prevents the use of the engine, or null
	 * @param limits the resource limits of commands
	 * @param boundedSockets whether the memory of sockets is part of a limit of memory
	 * @param gaps the limits that the runtime does not enforce, with the reasons
	 * @param copied whether directories are copied instead of mounted
	 * @param proxied whether commands reach the hosts of an allow-list
	 */
	static SandboxCapabilities of(@Nullable DockerProblem problem, CommandLimits limits, boolean boundedSockets,
			Map<SandboxCapability, String> gaps, boolean copied, boolean proxied) {
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		EnumSet<SandboxCapability> enforced = EnumSet.noneOf(SandboxCapability.class);
		if (problem != null) {
			for (SandboxCapability capability : SandboxCapability.values()) {
				reasons.put(capability, problem.toString());
			}
			return SandboxCapabilities.of("docker", enforced, reasons);
		}
		reasons.put(SandboxCapability.READ_ONLY,
				copied ? "a read-only volume" : "a read-only mount, and no capability to change it");
		reasons.put(proxied ? SandboxCapability.NETWORK_ALLOW_LIST : SandboxCapability.NETWORK_OFF,
				"a network namespace with a loopback interface only" + (proxied ? ", and a proxy outside" : ""));
		reasons.put(SandboxCapability.TREE_KILL, "a PID namespace that serves one command at a time");
		reasons.put(SandboxCapability.SURVIVES_NO_JVM,
				"the first process of a container ends with the connection to the JVM");
		reasons.put(SandboxCapability.FILE_CONFINEMENT,
				"the root file system of an image, read-only, the workspace and its mounts");
		reasons.put(SandboxCapability.MOUNTS,
				copied ? "copies in volumes of the engine, and what is changed there is copied back" : "bind mounts");
		reasons.put(SandboxCapability.PROTECTED_PATHS, copied ? "no changes of them are copied back"
				: "read-only mounts, in directories that cannot be renamed");
		reasons.put(SandboxCapability.ENV_ISOLATION, "an environment of the image, and an allow-list");
		reasons.put(SandboxCapability.STDIN, "a pipe");
		reasons.put(SandboxCapability.SIGNAL_DISTINCT, "the launcher reports the status of the shell");
		reasons.put(SandboxCapability.CPU_TIME, "the accounting of the container, which serves one command at a time");
		enforced.addAll(reasons.keySet());
		for (SandboxCapability limit : EnumSet.of(SandboxCapability.MEMORY_LIMIT, SandboxCapability.CPU_LIMIT,
				SandboxCapability.PIDS_LIMIT, SandboxCapability.FILE_SIZE_LIMIT)) {
			String set = limits.set().get(limit);
			if (set != null) {
				enforced.add(limit);
			}
			String means = (limit == SandboxCapability.FILE_SIZE_LIMIT) ? ", by setrlimit" : ", by a control group";
			reasons.put(limit, (set != null) ? set + means : "no limit is set");
		}
		if (enforced.contains(SandboxCapability.MEMORY_LIMIT) && !boundedSockets) {
			enforced.remove(SandboxCapability.MEMORY_LIMIT);
			reasons.put(SandboxCapability.MEMORY_LIMIT,
					"control groups of version 1 do not count the memory of sockets, and this JVM may not limit it");
		}
		gaps.keySet().stream().filter(enforced::remove).forEach((limit) -> reasons.put(limit, gaps.get(limit)));
		reasons.putIfAbsent(SandboxCapability.NETWORK_ALLOW_LIST, "commands have no network");
		reasons.putIfAbsent(SandboxCapability.NETWORK_OFF, "commands have the hosts of a list");
		return SandboxCapabilities.of("docker", enforced, reasons);
	}

}
