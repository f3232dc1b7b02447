package io.kairo.autoconfigure.sandbox;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.kairo.boot.PropertyBounds;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the resource limits of each single process of a command.
 * They need no control group, and do not bound a command that starts many processes.
 *
 * @param addressSpace Maximum address space of a process. By default, unlimited.
 * @param cpuTime Maximum processor time of a process. By default, unlimited.
 * @param openFiles Maximum number of open files of a process. By default, that of the
 * application.
 */
public record ProcessLimitsProperties(@Nullable DataSize addressSpace,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration cpuTime, @Nullable Integer openFiles) {

	/**
	 * Creates and validates the properties.
	 * @param addressSpace the maximum address space, at least 64 MiB, or null
	 * @param cpuTime the maximum processor time, at least one second, or null
	 * @param openFiles the maximum number of open files, at least 32, or null
	 */
	public ProcessLimitsProperties {
		new PropertyBounds(SandboxProperties.PREFIX + "process-limits.")
			.atLeast("address-space", addressSpace, DataSize.ofMegabytes(64))
			.atLeast("cpu-time", cpuTime, Duration.ofSeconds(1))
			.atLeast("open-files", openFiles, 32);
	}

}
