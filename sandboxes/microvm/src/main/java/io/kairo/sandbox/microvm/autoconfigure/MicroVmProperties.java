package io.kairo.sandbox.microvm.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.kairo.boot.PropertyBounds;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the sandbox of virtual machines.
 *
 * @param kernel Kernel of the machines, a file that make-image.sh makes, required by this
 * sandbox.
 * @param initrd Initial RAM disk of the machines, a file that make-image.sh makes,
 * required by this sandbox.
 * @param qemu Path of qemu-system-x86_64. By default, the installed program.
 * @param virtiofsd Path of virtiofsd of QEMU. By default, that of the package
 * qemu-system-common.
 * @param allowEmulation Whether machines are emulated where the processor cannot run them
 * (KVM), which is some ten times slower and a weaker boundary.
 * @param memory Memory of each machine, at least 128MB.
 * @param cpus Number of processors of each machine, unless kairo.sandbox.limits.cpus
 * names another one.
 * @param maxMachines Maximum number of machines, with those that are started ahead.
 * Tenants with limits of their own have machines of their own.
 * @param maxMemory Maximum memory of all machines together. By default, only their number
 * is limited.
 * @param startedAhead Number of machines that are started before a command needs them, so
 * that the first command of a session does not wait, and replaced when one is used.
 * @param idleTimeout Time without a command after which a machine is ended.
 * @param bootTimeout Time after which a machine that is not ready is given up.
 * @param runAs User that machines and commands run as, required if the application runs
 * as root: a name, uid or uid:gid. Directories that Kairo creates for commands belong to
 * it.
 */
@ConfigurationProperties("kairo.sandbox.microvm")
public record MicroVmProperties(@Nullable Path kernel, @Nullable Path initrd, @Nullable Path qemu,
		@Nullable Path virtiofsd, @DefaultValue("false") boolean allowEmulation, @DefaultValue("512MB") DataSize memory,
		@DefaultValue("2") int cpus, @DefaultValue("8") int maxMachines, @Nullable DataSize maxMemory,
		@DefaultValue("0") int startedAhead, @DurationUnit(ChronoUnit.SECONDS) @DefaultValue("5m") Duration idleTimeout,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("60s") Duration bootTimeout, @Nullable String runAs) {

	private static final PropertyBounds BOUNDS = new PropertyBounds("kairo.sandbox.microvm.");

	private static final DataSize LEAST_MEMORY = DataSize.ofMegabytes(128);

	private static final int MOST_CPUS = 64;

	/**
	 * Creates and validates the properties.
	 * @param memory the memory of each machine, at least 128 MiB
	 * @param maxMachines the maximum number of machines, at least 1
	 * @param maxMemory the maximum memory of all machines, at least that of one, or null
	 * @param startedAhead the number of machines started ahead, at most the maximum
	 * @param idleTimeout the time after which an idle machine is ended, above zero
	 * @param bootTimeout the time after which a machine is given up, above zero
	 */
	public MicroVmProperties {
		BOUNDS.atLeast("memory", memory, LEAST_MEMORY);
		if (cpus < 1 || cpus > MOST_CPUS) {
			throw BOUNDS.invalid("cpus", cpus, "it must be between 1 and " + MOST_CPUS);
		}
		BOUNDS.atLeast("max-machines", maxMachines, 1);
		if (maxMemory != null && maxMemory.compareTo(memory) < 0) {
			throw BOUNDS.invalid("max-memory", maxMemory, "it must be at least the memory of one machine, " + memory);
		}
		if (startedAhead < 0 || startedAhead > maxMachines) {
			throw BOUNDS.invalid("started-ahead", startedAhead,
					"it must be between 0 and max-machines, " + maxMachines);
		}
		BOUNDS.positive("idle-timeout", idleTimeout).positive("boot-timeout", bootTimeout);
	}

}
