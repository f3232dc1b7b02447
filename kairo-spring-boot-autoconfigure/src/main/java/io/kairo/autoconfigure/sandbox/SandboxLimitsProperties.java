package io.kairo.autoconfigure.sandbox;

import io.kairo.boot.PropertyBounds;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the resource limits of each command, including the
 * processes that it starts. Start-up fails if a configured limit cannot be enforced.
 *
 * @param memory Maximum memory. By default, 2GB with Docker, that of the machine less
 * 64MB in a micro-VM, otherwise unlimited.
 * @param cpus Maximum number of processors, such as 1.5. By default, 2 with Docker, those
 * of the machine in a micro-VM, otherwise unlimited.
 * @param pids Maximum number of processes and threads at a time. By default, 512 with
 * Docker and in a micro-VM, otherwise unlimited.
 * @param fileSize Maximum size of a file that a command writes. By default, unlimited.
 * @param tmpfsSize Maximum size of /tmp, /dev/shm and the home directory each, if the
 * sandbox provides its own in memory. By default, 256MB, in a micro-VM 128MB.
 */
public record SandboxLimitsProperties(@Nullable DataSize memory, @Nullable Double cpus, @Nullable Integer pids,
		@Nullable DataSize fileSize, @Nullable DataSize tmpfsSize) {

	private static final double LEAST_CPUS = 0.01;

	private static final double MOST_CPUS = 10_000;

	/**
	 * Checks the limits of all tenants, or those of a tenant with all others.
	 */
	void check() {
		PropertyBounds bounds = new PropertyBounds(SandboxProperties.PREFIX + "limits.")
			.atLeast("memory", this.memory, DataSize.ofMegabytes(1))
			.atLeast("pids", this.pids, 8)
			.atLeast("file-size", this.fileSize, DataSize.ofBytes(512))
			.atLeast("tmpfs-size", this.tmpfsSize, DataSize.ofKilobytes(64));
		if (this.cpus != null && !(this.cpus >= LEAST_CPUS && this.cpus <= MOST_CPUS)) {
			throw bounds.invalid("cpus", this.cpus, "it must be at least 0.01 and at most 10000");
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

}
