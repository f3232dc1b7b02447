package io.kairo.autoconfigure.sandbox;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the resource limits of each command, including the
 * processes that it starts. Start-up fails if a configured limit cannot be enforced.
 *
 * @param memory Maximum memory. By default, 2GB with Docker, otherwise unlimited.
 * @param cpus Maximum number of processors, such as 1.5. By default, 2 with Docker,
 * otherwise unlimited.
 * @param pids Maximum number of processes and threads at a time. By default, 512 with
 * Docker, otherwise unlimited.
 * @param fileSize Maximum size of a file that a command writes. By default, unlimited.
 * @param tmpfsSize Maximum size of /tmp, and of /dev/shm, if the sandbox provides its
 * own. By default, 256MB.
 * @since 0.1.0
 */
public record SandboxLimitsProperties(@Nullable DataSize memory, @Nullable Double cpus, @Nullable Integer pids,
		@Nullable DataSize fileSize, @Nullable DataSize tmpfsSize) {

	/**
	 * Creates and validates the properties.
	 * @param memory the maximum memory, or null
	 * @param cpus the maximum number of processors, or null
	 * @param pids the maximum number of processes, or null
	 * @param fileSize the maximum size of a file, or null
	 * @param tmpfsSize the maximum size of the directories for temporary files, or null
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

	/**
	 * Returns these limits, with those that are not set taken from others.
	 */
	SandboxLimitsProperties over(SandboxLimitsProperties others) {
		return new SandboxLimitsProperties((this.memory != null) ? this.memory : others.memory,
				(this.cpus != null) ? this.cpus : others.cpus, (this.pids != null) ? this.pids : others.pids,
				(this.fileSize != null) ? this.fileSize : others.fileSize,
				(this.tmpfsSize != null) ? this.tmpfsSize : others.tmpfsSize);
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String least) {
		return new InvalidConfigurationPropertyValueException("kairo.sandbox.limits." + name, value,
				"it must be at least " + least);
	}

}
