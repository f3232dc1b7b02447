package io.kairo.sandbox.microvm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.host.HostUser;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.ProcessSpec;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link MicroVmSandbox}. Immutable.
 *
 * @param kernel the kernel of the machines, a file that the user of the machines can read
 * @param initrd the initial RAM disk of the machines with the agent, a file that the user
 * of the machines can read
 * @param qemu the path of {@code qemu-system-x86_64}; null to search for it
 * @param virtiofsd the path of {@code virtiofsd}; null for that of QEMU, or to search for
 * it
 * @param emulation whether machines are emulated where the processor cannot run them
 * (KVM)
 * @param memoryBytes memory of each machine in bytes, at least 128 MiB
 * @param cpus number of processors of each machine, 1 to 64
 * @param pool number of machines, and the time for which they are kept
 * @param bootTimeout time after which a machine that is not ready is given up, above zero
 * @param runAs the user that machines and commands run as, required if the JVM runs as
 * root; null for the user of the JVM
 * @param inheritEnv names of the environment variables of the JVM that commands inherit;
 * a name that ends in {@code *} is a prefix. {@code HOME} is a directory of the machine
 * unless a request sets it, and {@code PATH} keeps only directories of the system; copied
 * @param directory the parent of a private directory for output that is not kept in
 * memory, created if it is missing; null for the directory for temporary files
 * @param hiddenPaths directories that no command sees, even inside a workspace, copied
 * @param killGrace time between SIGTERM and SIGKILL when a command is ended; zero for
 * SIGKILL at once, at most 700 ms
 * @param shutdownGrace time that a shutdown of the JVM leaves the application to close
 * the sandbox before the sandbox closes itself; zero for none
 * @param tmpfsBytes maximum size of {@code /tmp}, of {@code /var/tmp}, of {@code
 * /dev/shm} and of the home directory of a command, each, in bytes; at least 64 KiB. They
 * are in the memory of the command
 * @param limits resource limits of each command; a command may have all memory of its
 * machine but 64 MiB, and 512 processes, unless they say less. They name no number of
 * processors, which is that of the machine
 */
public record MicroVmOptions(Path kernel, Path initrd, @Nullable Path qemu, @Nullable Path virtiofsd,
		Emulation emulation, long memoryBytes, int cpus, MachinePool pool, Duration bootTimeout,
		@Nullable HostUser runAs, List<String> inheritEnv, @Nullable Path directory, List<Path> hiddenPaths,
		Duration killGrace, Duration shutdownGrace, long tmpfsBytes, CommandLimits limits) {

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
	 * Default of {@link #tmpfsBytes()}: 128 MiB.
	 */
	public static final long DEFAULT_TMPFS_BYTES = 128L << 20;

	/**
	 * Maximum number of processes and threads of a command by default.
	 */
	public static final int DEFAULT_PIDS = 512;

	private static final long LEAST_MEMORY_BYTES = 128L << 20;

	/** Memory for the kernel, the agent and the page tables of a machine. */
	private static final long RESERVED_BYTES = 64L << 20;

	private static final long LEAST_TMPFS_BYTES = 64L << 10;

	private static final int MOST_CPUS = 64;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the user is root, a name is blank or contains
	 * {@code =}, the limits name a number of processors, or a number or time is out of
	 * its range
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
		if (runAs != null && (runAs.uid() == 0 || runAs.gid() == 0)) {
			throw new IllegalArgumentException(
					runAs + " is root or has its group: machines must run as another user, such as 65534");
		}
		inheritEnv = new EnvironmentAllowList(inheritEnv).names();
		hiddenPaths = List.copyOf(hiddenPaths);
		ProcessSpec.requireKillGrace(killGrace);
		if (shutdownGrace.isNegative()) {
			throw new IllegalArgumentException("The shutdown grace is " + shutdownGrace + ": it must be at least zero");
		}
		requireAtLeast("size for temporary files", tmpfsBytes, LEAST_TMPFS_BYTES);
		if (limits.cpus() != null) {
			throw new IllegalArgumentException("The limit of a command is " + limits.cpus()
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
				MachinePool.DEFAULT, DEFAULT_BOOT_TIMEOUT, null, EnvironmentAllowList.DEFAULT_NAMES, null, List.of(),
				ProcessSpec.DEFAULT_KILL_GRACE, Duration.ZERO, DEFAULT_TMPFS_BYTES, CommandLimits.NONE);
	}

	/**
	 * Returns the limits of each command, which always include memory and processes.
	 * @return the limits
	 */
	CommandLimits commandLimits() {
		long available = this.memoryBytes - RESERVED_BYTES;
		Long memory = this.limits.memoryBytes();
		Integer pids = this.limits.pids();
		return new CommandLimits((memory != null) ? Math.min(memory, available) : available, null,
				(pids != null) ? pids : DEFAULT_PIDS, this.limits.fileSizeBytes(), this.limits.perProcess());
	}

	/**
	 * Returns options with another value of {@link #qemu()}.
	 * @param qemu the path of QEMU, or null for the default
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withQemu(@Nullable Path qemu) {
		return new MicroVmOptions(this.kernel, this.initrd, qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #virtiofsd()}.
	 * @param virtiofsd the path of virtiofsd, or null for the default
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withVirtiofsd(@Nullable Path virtiofsd) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #emulation()}.
	 * @param emulation the choice of emulation
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withEmulation(Emulation emulation) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #memoryBytes()}.
	 * @param memoryBytes the memory of each machine
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withMemoryBytes(long memoryBytes) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #cpus()}.
	 * @param cpus the number of processors of each machine
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withCpus(int cpus) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #pool()}.
	 * @param pool the number of machines, and the time for which they are kept
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withPool(MachinePool pool) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #bootTimeout()}.
	 * @param bootTimeout the time to boot
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withBootTimeout(Duration bootTimeout) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #runAs()}.
	 * @param runAs the user, or null for the default
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withRunAs(@Nullable HostUser runAs) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #inheritEnv()}.
	 * @param inheritEnv the inherited environment variables
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withInheritEnv(List<String> inheritEnv) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #directory()}.
	 * @param directory the parent of the private directory, or null for the default
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withDirectory(@Nullable Path directory) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #hiddenPaths()}.
	 * @param hiddenPaths the hidden directories
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withHiddenPaths(List<Path> hiddenPaths) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #killGrace()}.
	 * @param killGrace the time between SIGTERM and SIGKILL
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withKillGrace(Duration killGrace) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #shutdownGrace()}.
	 * @param shutdownGrace the shutdown grace
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withShutdownGrace(Duration shutdownGrace) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #tmpfsBytes()}.
	 * @param tmpfsBytes the size for temporary files
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withTmpfsBytes(long tmpfsBytes) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another value of {@link #limits()}.
	 * @param limits the resource limits
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public MicroVmOptions withLimits(CommandLimits limits) {
		return new MicroVmOptions(this.kernel, this.initrd, this.qemu, this.virtiofsd, this.emulation, this.memoryBytes,
				this.cpus, this.pool, this.bootTimeout, this.runAs, this.inheritEnv, this.directory, this.hiddenPaths,
				this.killGrace, this.shutdownGrace, this.tmpfsBytes, limits);
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
		 * Machines are emulated there, and some ten times slower. The emulator is no
		 * boundary that its makers vouch for.
		 */
		ALLOWED

	}

}
