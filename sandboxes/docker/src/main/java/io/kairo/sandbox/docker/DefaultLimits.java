package io.kairo.sandbox.docker;

import com.github.dockerjava.api.model.Info;
import io.kairo.sandbox.support.CommandLimits;

/**
 * The limits of memory, processors and processes that containers have by default. A limit
 * that the engine does not enforce is not set, and not claimed: only a limit of the
 * options is a requirement.
 */
final class DefaultLimits {

	private DefaultLimits() {
	}

	/**
	 * Returns limits with defaults for the unset ones. There is none for the processes of
	 * gVisor, since its control group counts its own threads.
	 * @param limits the limits of the options
	 * @param info the description of the engine
	 * @param runtime the proof of mounts that the runtime needs
	 */
	static CommandLimits complete(CommandLimits limits, Info info, MountProof runtime) {
		Long memory = limits.memoryBytes();
		if (memory == null && Boolean.TRUE.equals(info.getMemoryLimit())) {
			memory = DockerOptions.DEFAULT_MEMORY_BYTES;
		}
		Double cpus = limits.cpus();
		if (cpus == null && Boolean.TRUE.equals(info.getCpuCfsQuota())) {
			Integer available = info.getNCPU();
			cpus = (available != null && available > 0) ? Math.min(DockerOptions.DEFAULT_CPUS, available)
					: DockerOptions.DEFAULT_CPUS;
		}
		Integer pids = limits.pids();
		if (pids == null && runtime != MountProof.GOFER && hasPids(info)) {
			pids = DockerOptions.DEFAULT_PIDS;
		}
		return new CommandLimits(memory, cpus, pids, limits.fileSizeBytes(), limits.perProcess());
	}

	/**
	 * Returns whether the engine limits the number of processes.
	 */
	static boolean hasPids(Info info) {
		return Boolean.TRUE.equals(info.getRawValues().get("PidsLimit"));
	}

}
