package io.kairo.sandbox.docker;

import java.util.EnumSet;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.CapabilityReport;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of containers, with reasons for the missing ones.
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
	static SandboxCapabilities of(@Nullable BackendProblem problem, CommandLimits limits, boolean boundedSockets,
			Map<SandboxCapability, String> gaps, boolean copied, boolean proxied) {
		CapabilityReport report = new CapabilityReport();
		if (problem != null) {
			return report.lackAll(problem.toString()).of("docker");
		}
		report
			.claim(SandboxCapability.READ_ONLY,
					copied ? "a read-only volume" : "a read-only mount, and no capability to change it")
			.lack(SandboxCapability.NETWORK_ALLOW_LIST, "commands have no network")
			.lack(SandboxCapability.NETWORK_OFF, "commands have the hosts of a list")
			.claim(proxied ? SandboxCapability.NETWORK_ALLOW_LIST : SandboxCapability.NETWORK_OFF,
					"a network namespace with a loopback interface only" + (proxied ? ", and a proxy outside" : ""))
			.claim(SandboxCapability.NETWORK_OFF_ON_REQUEST, "a network namespace with a loopback interface only")
			.claim(SandboxCapability.TREE_KILL, "a PID namespace that serves one command at a time")
			.claim(SandboxCapability.SURVIVES_NO_JVM,
					"the first process of a container ends with the connection to the JVM")
			.claim(SandboxCapability.FILE_CONFINEMENT,
					"the root file system of an image, read-only, the workspace and its mounts")
			.claim(SandboxCapability.MOUNTS,
					copied ? "copies in volumes of the engine, and what is changed there is copied back"
							: "bind mounts")
			.claim(SandboxCapability.PROTECTED_PATHS,
					copied ? "no changes of them are copied back"
							: "read-only mounts, in directories that cannot be renamed")
			.claim(SandboxCapability.ENV_ISOLATION, "an environment of the image, and an allow-list")
			.claim(SandboxCapability.STDIN, "a pipe")
			.claim(SandboxCapability.SIGNAL_DISTINCT, "the launcher reports the status of the shell")
			.claim(SandboxCapability.CPU_TIME, "the accounting of the container, which serves one command at a time");
		for (SandboxCapability limit : EnumSet.of(SandboxCapability.MEMORY_LIMIT, SandboxCapability.CPU_LIMIT,
				SandboxCapability.PIDS_LIMIT)) {
			report.limit(limit, limits.set().get(limit), "a control group");
		}
		report.limit(SandboxCapability.FILE_SIZE_LIMIT, limits.set().get(SandboxCapability.FILE_SIZE_LIMIT),
				"setrlimit");
		if (report.claims(SandboxCapability.MEMORY_LIMIT) && !boundedSockets) {
			report.lack(SandboxCapability.MEMORY_LIMIT,
					"control groups of version 1 do not count the memory of sockets, and this JVM may not limit it");
		}
		gaps.forEach((limit, reason) -> {
			if (report.claims(limit)) {
				report.lack(limit, reason);
			}
		});
		return report.of("docker");
	}

}
