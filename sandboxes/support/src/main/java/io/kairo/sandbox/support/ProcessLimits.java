package io.kairo.sandbox.support;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Resource limits of each single process of a command, by setrlimit(2). They need no
 * control group, and do not bound a command that starts many processes. Immutable.
 *
 * @param addressSpaceBytes maximum address space of a process in bytes, at least 64 MiB;
 * null for no limit
 * @param cpuTime maximum processor time of a process, at least one second, rounded up to
 * whole seconds; null for no limit
 * @param openFiles maximum number of open files of a process, at least 32; null for no
 * limit
 */
public record ProcessLimits(@Nullable Long addressSpaceBytes, @Nullable Duration cpuTime, @Nullable Integer openFiles) {

	/**
	 * No limits.
	 */
	public static final ProcessLimits NONE = new ProcessLimits(null, null, null);

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a limit is below its minimum
	 */
	public ProcessLimits {
		if (addressSpaceBytes != null && addressSpaceBytes < (64 << 20)) {
			throw tooLow("address space", addressSpaceBytes, "64 MiB");
		}
		if (cpuTime != null && cpuTime.compareTo(Duration.ofSeconds(1)) < 0) {
			throw tooLow("processor time", cpuTime, "1 second");
		}
		if (openFiles != null && openFiles < 32) {
			throw tooLow("open files", openFiles, "32");
		}
	}

	private static IllegalArgumentException tooLow(String what, Object value, String least) {
		return new IllegalArgumentException("The limit of " + what + " is " + value + ": it must be at least " + least);
	}

	/**
	 * Returns commands for a POSIX shell that set these limits for itself and the
	 * processes that it starts, or exit with 125.
	 * @return the commands, empty if there are no limits
	 */
	public String prelude() {
		StringBuilder prelude = new StringBuilder();
		if (this.addressSpaceBytes != null) {
			limit(prelude, "-v", (this.addressSpaceBytes + 1023) / 1024);
		}
		if (this.cpuTime != null) {
			limit(prelude, "-t", this.cpuTime.plusNanos(999_999_999).toSeconds());
		}
		if (this.openFiles != null) {
			limit(prelude, "-n", this.openFiles);
		}
		return prelude.toString();
	}

	private static void limit(StringBuilder prelude, String option, long value) {
		prelude.append("ulimit ").append(option).append(' ').append(value).append(" || exit 125; ");
	}

}
