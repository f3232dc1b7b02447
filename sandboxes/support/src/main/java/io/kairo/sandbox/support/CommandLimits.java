package io.kairo.sandbox.support;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxCapability;
import org.jspecify.annotations.Nullable;

/**
 * Resource limits of one command, including all processes that it starts. Immutable.
 *
 * @param memoryBytes maximum memory including swap, in bytes, at least 1 MiB; null for no
 * limit
 * @param cpus maximum number of processors, such as 1.5, at least 0.01 and at most
 * 10,000; null for no limit
 * @param pids maximum number of processes and threads at a time, at least 8; null for no
 * limit
 * @param fileSizeBytes maximum size of a file that the command writes, in bytes, at least
 * 512; null for no limit
 * @param perProcess limits of each single process
 */
public record CommandLimits(@Nullable Long memoryBytes, @Nullable Double cpus, @Nullable Integer pids,
		@Nullable Long fileSizeBytes, ProcessLimits perProcess) {

	/**
	 * No limits.
	 */
	public static final CommandLimits NONE = new CommandLimits(null, null, null, null);

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a limit is out of its bounds
	 */
	public CommandLimits {
		Objects.requireNonNull(perProcess, "perProcess");
		if (memoryBytes != null && memoryBytes < (1 << 20)) {
			throw outOfBounds("memory", memoryBytes, "1 MiB");
		}
		if (cpus != null && !(cpus >= 0.01 && cpus <= 10_000)) {
			throw outOfBounds("processors", cpus, "0.01 and at most 10000");
		}
		if (pids != null && pids < 8) {
			throw outOfBounds("processes", pids, "8");
		}
		if (fileSizeBytes != null && fileSizeBytes < 512) {
			throw outOfBounds("the size of files", fileSizeBytes, "512 bytes");
		}
	}

	/**
	 * Creates the value without limits of single processes.
	 * @param memoryBytes maximum memory in bytes, or null
	 * @param cpus maximum number of processors, or null
	 * @param pids maximum number of processes and threads, or null
	 * @param fileSizeBytes maximum size of a file in bytes, or null
	 * @throws IllegalArgumentException if a limit is out of its bounds
	 */
	public CommandLimits(@Nullable Long memoryBytes, @Nullable Double cpus, @Nullable Integer pids,
			@Nullable Long fileSizeBytes) {
		this(memoryBytes, cpus, pids, fileSizeBytes, ProcessLimits.NONE);
	}

	private static IllegalArgumentException outOfBounds(String what, Number value, String least) {
		return new IllegalArgumentException("The limit of " + what + " is " + value + ": it must be at least " + least);
	}

	/**
	 * Returns the limits that are set, by the capability that enforces each.
	 * @return readable descriptions of the limits
	 */
	public Map<SandboxCapability, String> set() {
		Map<SandboxCapability, String> set = new EnumMap<>(SandboxCapability.class);
		if (this.memoryBytes != null) {
			set.put(SandboxCapability.MEMORY_LIMIT, this.memoryBytes + " bytes of memory");
		}
		if (this.cpus != null) {
			set.put(SandboxCapability.CPU_LIMIT, this.cpus + " processors");
		}
		if (this.pids != null) {
			set.put(SandboxCapability.PIDS_LIMIT, this.pids + " processes");
		}
		if (this.fileSizeBytes != null) {
			set.put(SandboxCapability.FILE_SIZE_LIMIT, this.fileSizeBytes + " bytes in a file");
		}
		return set;
	}

}
