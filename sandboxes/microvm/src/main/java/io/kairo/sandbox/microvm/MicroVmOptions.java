package io.kairo.sandbox.microvm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.OptionsBuilder;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link MicroVmSandbox}. Immutable.
 *
 * @param kernel the kernel of the machines, a file that the user of the machines can read
 * @param initrd the initial RAM disk of the machines with the agent, a file that the user
 * of the machines can read
 * @param qemu the path of {@code qemu-system-x86_64}; null to search for it
 * @param virtiofsd the path of {@code virtiofsd}; null for the one of QEMU, or to search
 * for it
 * @param emulation whether machines are emulated where the processor cannot run them
 * (KVM)
 * @param memoryBytes memory of each machine in bytes, at least 128 MiB
 * @param cpus number of processors of each machine, 1 to 64
 * @param pool number of machines, and the time that they are kept
 * @param bootTimeout time until a machine that is not ready is given up, above zero
 * @param commands the settings that every backend shares. The user also runs the
 * machines, and is required if the JVM runs as root. {@code HOME} is a directory of the
 * machine unless a request sets it, and {@code PATH} keeps only directories of the
 * system. The network of the host is not supported. Files in directories for temporary
 * files are in the memory of the command. A command may have all memory of its machine
 * but 64 MiB, and 512 processes, unless the limits say less. The limits name no number of
 * processors: the machine determines it
 */
public record MicroVmOptions(Path kernel, Path initrd, @Nullable Path qemu, @Nullable Path virtiofsd,
		Emulation emulation, long memoryBytes, int cpus, MachinePool pool, Duration bootTimeout,
		CommandSettings commands) {

	/**
	 * Default of {@link #memoryBytes()}: 512 MiB.
	 */
	public static final long DEFAULT_MEMORY_BYTES = 512L << 20;

	/**
	 * Default of {@link #cpus()}.
	 */
	public static final int DEFAULT_CPUS = 2;

	/**
	 * Default of {@link #bootTimeout()}: one minute.
	 */
	public static final Duration DEFAULT_BOOT_TIMEOUT = Duration.ofMinutes(1);

	/**
	 * Default size of {@code /tmp}, of {@code /var/tmp}, of {@code /dev/shm} and of the
	 * home directory of a command, each: 128 MiB.
	 */
	public static final long DEFAULT_TMPFS_BYTES = 128L << 20;

	/**
	 * Maximum number of processes and threads of a command by default.
	 */
	public static final int DEFAULT_PIDS = 512;

	private static final long LEAST_MEMORY_BYTES = 128L << 20;

	/** Memory for the kernel, the agent and the page tables of a machine. */
	private static final long RESERVED_BYTES = 64L << 20;

	private static final int MOST_CPUS = 64;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the limits name a number of processors, or a
	 * number or time is out of its range
	 */
	public MicroVmOptions {
		kernel = kernel.toAbsolutePath().normalize();
		initrd = initrd.toAbsolutePath().normalize();
		requireAtLeast("memory of a machine", memoryBytes, LEAST_MEMORY_BYTES);
		if (cpus < 1 || cpus > MOST_CPUS) {
			throw new IllegalArgumentException(
					"The number of processors is " + cpus + ": it must be between 1 and " + MOST_CPUS);
		}
		Long most = pool.maxMemoryBytes();
		if (most != null) {
			requireAtLeast("memory of all machines", most, memoryBytes);
		}
		if (bootTimeout.isNegative() || bootTimeout.isZero()) {
			throw new IllegalArgumentException("The time to boot is " + bootTimeout + ": it must be above zero");
		}
		if (commands.limits().cpus() != null) {
			throw new IllegalArgumentException("The limit of a command is " + commands.limits().cpus()
					+ " processors: set the number of processors of the machine instead");
		}
	}

	/**
	 * Returns the default options: machines are not emulated, have 512 MiB of memory and
	 * two processors, and {@code PATH}, {@code LANG} and {@code HOME} are inherited.
	 * @param kernel the kernel
	 * @param initrd the initial RAM disk
	 * @return the options
	 */
	public static MicroVmOptions of(Path kernel, Path initrd) {
		return new MicroVmOptions(kernel, initrd, null, null, Emulation.REFUSED, DEFAULT_MEMORY_BYTES, DEFAULT_CPUS,
				MachinePool.DEFAULT, DEFAULT_BOOT_TIMEOUT, CommandSettings.DEFAULTS);
	}

	/**
	 * Returns these options with changes.
	 * @param changes sets the new values
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses a value
	 */
	public MicroVmOptions with(Consumer<Builder> changes) {
		Builder builder = new Builder(this);
		changes.accept(builder);
		return builder.build();
	}

	/**
	 * Returns the limits of each command. They always include memory and processes.
	 * @return the limits
	 */
	CommandLimits commandLimits() {
		long available = this.memoryBytes - RESERVED_BYTES;
		CommandLimits limits = this.commands.limits();
		Long memory = limits.memoryBytes();
		Integer pids = limits.pids();
		return new CommandLimits((memory != null) ? Math.min(memory, available) : available, null,
				(pids != null) ? pids : DEFAULT_PIDS, limits.fileSizeBytes(), limits.perProcess());
	}

	/**
	 * Returns the maximum size of each directory for temporary files.
	 */
	long tmpfsBytes() {
		Long set = this.commands.tmpfsBytes();
		return (set != null) ? set : DEFAULT_TMPFS_BYTES;
	}

	private static void requireAtLeast(String what, long value, long least) {
		if (value < least) {
			throw new IllegalArgumentException("The " + what + " is " + value + ": it must be at least " + least);
		}
	}

	/**
	 * Whether machines are emulated where the processor cannot run them.
	 */
	public enum Emulation {

		/** The sandbox is not usable there. */
		REFUSED,

		/**
		 * Machines are emulated there, and some ten times slower; also where KVM exists
		 * and boots no machine within 15 seconds. The emulator is no boundary that its
		 * makers vouch for.
		 */
		ALLOWED

	}

	/**
	 * Sets options, as described by the components of {@link MicroVmOptions}. Not safe
	 * for use by several threads.
	 */
	public static final class Builder extends OptionsBuilder<Builder> {

		private Path kernel;

		private Path initrd;

		private @Nullable Path qemu;

		private @Nullable Path virtiofsd;

		private Emulation emulation;

		private long memoryBytes;

		private int cpus;

		private MachinePool pool;

		private Duration bootTimeout;

		private Builder(MicroVmOptions options) {
			super(options.commands);
			this.kernel = options.kernel;
			this.initrd = options.initrd;
			this.qemu = options.qemu;
			this.virtiofsd = options.virtiofsd;
			this.emulation = options.emulation;
			this.memoryBytes = options.memoryBytes;
			this.cpus = options.cpus;
			this.pool = options.pool;
			this.bootTimeout = options.bootTimeout;
		}

		/**
		 * Sets the path of QEMU.
		 * @param qemu a path, or null
		 * @return this builder
		 */
		public Builder qemu(@Nullable Path qemu) {
			this.qemu = qemu;
			return this;
		}

		/**
		 * Sets the path of virtiofsd.
		 * @param virtiofsd a path, or null
		 * @return this builder
		 */
		public Builder virtiofsd(@Nullable Path virtiofsd) {
			this.virtiofsd = virtiofsd;
			return this;
		}

		/**
		 * Sets whether machines may be emulated.
		 * @param emulation whether they may
		 * @return this builder
		 */
		public Builder emulation(Emulation emulation) {
			this.emulation = emulation;
			return this;
		}

		/**
		 * Sets the memory of each machine.
		 * @param memoryBytes bytes, at least 128 MiB
		 * @return this builder
		 */
		public Builder memoryBytes(long memoryBytes) {
			this.memoryBytes = memoryBytes;
			return this;
		}

		/**
		 * Sets the number of processors of each machine.
		 * @param cpus 1 to 64
		 * @return this builder
		 */
		public Builder cpus(int cpus) {
			this.cpus = cpus;
			return this;
		}

		/**
		 * Sets the number of machines, and the time that they are kept.
		 * @param pool the pool
		 * @return this builder
		 */
		public Builder pool(MachinePool pool) {
			this.pool = pool;
			return this;
		}

		/**
		 * Sets the time until a machine that is not ready is given up.
		 * @param bootTimeout the time, above zero
		 * @return this builder
		 */
		public Builder bootTimeout(Duration bootTimeout) {
			this.bootTimeout = bootTimeout;
			return this;
		}

		/**
		 * Returns the options as they are set.
		 * @return the options
		 * @throws IllegalArgumentException if a value is refused
		 */
		public MicroVmOptions build() {
			return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation,
					this.memoryBytes, this.cpus, this.pool, this.bootTimeout, this.commands);
		}

	}

}
