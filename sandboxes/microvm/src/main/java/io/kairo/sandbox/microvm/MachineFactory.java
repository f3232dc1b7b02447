package io.kairo.sandbox.microvm;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.OrphanReaper;
import io.kairo.sandbox.support.mount.OwnerAccess;
import io.kairo.sandbox.support.process.ProcessLauncher;
import org.jspecify.annotations.Nullable;

/**
 * Starts machines. An emulated one that is not ready in time is started again. Safe for
 * use by several threads.
 */
final class MachineFactory {

	/**
	 * Time that KVM has where machines may be emulated instead: some nested hosts have
	 * the device, and nothing boots.
	 */
	private static final Duration KVM_TIMEOUT = Duration.ofSeconds(15);

	/**
	 * A kernel that is emulated on a busy machine may wait for a timer forever while it
	 * starts.
	 */
	private static final int EMULATED_ATTEMPTS = 3;

	private final MicroVmOptions options;

	private final PrivateDirectory directory;

	private final ProcessLauncher launcher;

	private final OrphanReaper reaper;

	private final HostConfinement confinement;

	private @Nullable Path configuration;

	/**
	 * Creates the factory.
	 * @param directory the directory for sockets and configuration
	 * @param launcher starts processes that end with the JVM
	 */
	MachineFactory(MicroVmOptions options, PrivateDirectory directory, ProcessLauncher launcher, OrphanReaper reaper) {
		this.options = options;
		this.directory = directory;
		this.launcher = launcher;
		this.reaper = reaper;
		this.confinement = new HostConfinement(options.commands().runAs(), reaper.mark());
	}

	HostConfinement confinement() {
		return this.confinement;
	}

	/**
	 * Starts a machine, and waits until its agent is ready.
	 * @param accelerator the accelerator of QEMU
	 * @throws SandboxException if it does not start
	 */
	Machine start(MachineSpec spec, String accelerator) {
		return attempt(accelerator,
				(start, timeout, last) -> start.machine(configuration(), spec.mounts(), accelerator, timeout, last));
	}

	/**
	 * Starts a machine without directories of a command, and waits until its agent is
	 * ready.
	 * @param accelerator the accelerator of QEMU
	 * @throws SandboxException if it does not start
	 */
	PrestartedMachine startAhead(String accelerator) {
		return attempt(accelerator,
				(start, timeout, last) -> start.prestarted(configuration(), accelerator, timeout, last));
	}

	private <M> M attempt(String accelerator, Attempt<M> each) {
		try {
			this.reaper.ensureRunning();
			boolean kvm = accelerator.equals(QemuPrograms.KVM);
			int attempts = kvm ? 1 : EMULATED_ATTEMPTS;
			Duration timeout = this.options.bootTimeout().dividedBy(attempts);
			if (kvm && this.options.emulation() == MicroVmOptions.Emulation.ALLOWED
					&& timeout.compareTo(KVM_TIMEOUT) > 0) {
				timeout = KVM_TIMEOUT;
			}
			for (int attempt = 1;; attempt++) {
				MachineStart start = new MachineStart(this.options, this.confinement, this.launcher, newDirectory());
				M machine = each.run(start, timeout, attempt == attempts);
				if (machine != null) {
					return machine;
				}
			}
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED, "A virtual machine could not be started",
					"see the cause; usual reasons are too many processes, too many open files or too little memory",
					ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"Interrupted while a virtual machine was being started", "try again", ex);
		}
	}

	/**
	 * Runs a program in a confinement of its own on the host, and waits until it has
	 * ended.
	 * @param root the root that the confinement shows
	 */
	void run(Path root, List<String> program) throws IOException {
		this.reaper.ensureRunning();
		List<String> mounts = List.of("--bind", root.toString(), OwnerAccess.Runner.TARGET.toString());
		Process process = this.launcher.launch(this.confinement.plain(mounts, program)
			.redirectErrorStream(true)
			.redirectInput(new File("/dev/null"))
			.redirectOutput(Redirect.DISCARD));
		try {
			process.waitFor();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			process.destroyForcibly();
		}
	}

	/**
	 * Creates an empty directory that the user of the machines owns.
	 */
	Path newDirectory() throws IOException {
		Path parent = this.directory.path();
		Path created = this.directory.newPath("machine");
		Files.createDirectory(created, OwnerOnly.directory(created));
		HostUser user = this.options.commands().runAs();
		if (user != null) {
			HostUser.letPass(parent);
			user.own(created);
		}
		return created;
	}

	/**
	 * Returns the directory with the files of {@code /etc} that differ from the host.
	 */
	private synchronized Path configuration() throws IOException {
		Path known = this.configuration;
		if (known != null && Files.isDirectory(known)) {
			return known;
		}
		Path created = newDirectory();
		HostUser user = this.confinement.user();
		write(created.resolve("passwd"),
				"root:x:0:0:root:/:/bin/false\nsandbox:x:" + user + ":sandbox:" + GuestEnvironment.HOME + ":/bin/sh\n");
		write(created.resolve("group"), "root:x:0:\nsandbox:x:" + user.gid() + ":\n");
		write(created.resolve("hosts"), "127.0.0.1 localhost sandbox\n::1 localhost\n");
		this.configuration = created;
		return created;
	}

	private static void write(Path file, String content) throws IOException {
		Files.setPosixFilePermissions(Files.writeString(file, content), PosixFilePermissions.fromString("r--r--r--"));
	}

	/**
	 * An attempt to start a machine.
	 *
	 * @param <M> the type of the machine
	 */
	@FunctionalInterface
	private interface Attempt<M> {

		/**
		 * Starts a machine.
		 * @return null if it was not ready in time, and this is not the last attempt
		 */
		@Nullable M run(MachineStart start, Duration timeout, boolean last) throws IOException, InterruptedException;

	}

}
