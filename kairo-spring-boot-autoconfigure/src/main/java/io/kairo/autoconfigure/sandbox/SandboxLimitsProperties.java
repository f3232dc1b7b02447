package io.kairo.autoconfigure.sandbox;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * What one command, with everything it starts, may take of the machine. A limit that is
 * set and cannot be enforced is a failure at start-up.
 *
 * @param memory how much memory. Unset, no limit.
 * @param cpus how much of the processors, such as 1.5. Unset, no limit.
 * @param pids how many processes and threads at a time. Unset, no limit.
 * @param fileSize how large a file may get that it writes. Unset, no limit.
 * @param tmpfsSize how large /tmp may get, and /dev/shm, where the sandbox has its own.
 * Unset, 256MB.
 * @since 0.1.0
 */
public record SandboxLimitsProperties(@Nullable DataSize memory, @Nullable Double cpus, @Nullable Integer pids,
		@Nullable DataSize fileSize, @Nullable DataSize tmpfsSize) {

	/**
	 * Creates the value.
	 * @param memory how much memory, or null
	 * @param cpus how much of the processors, or null
	 * @param pids how many processes, or null
	 * @param fileSize how large a file may get, or null
	 * @param tmpfsSize how large directories for temporary files may get, or null
	 */
	public SandboxLimitsProperties {
		if (memory != null && memory.toBytes() < (1 << 20)) {
			throw invalid("memory", memory, "1MB");
		}
		if (cpus != null && !(cpus >= 0.01)) {
			throw invalid("cpus", cpus, "0.01");
		}
		if (pids != null && pids < 8) {
			throw invalid("pids", pids, "8");
		}
		if (fileSize != null && fileSize.toBytes() < 512) {
			throw invalid("file-size", fileSize, "512B");
		}
		if (tmpfsSize != null && tmpfsSize.toBytes() < (64 << 10)) {
			throw invalid("tmpfs-size", tmpfsSize, "64KB");
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String least) {
		return new InvalidConfigurationPropertyValueException("kairo.sandbox.limits." + name, value,
				"it must be at least " + least);
	}

}
