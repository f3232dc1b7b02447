package io.kairo.sandbox.microvm;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.support.OrphanReaper;
import io.kairo.sandbox.support.process.ProcessLauncher;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * Starts machines: a file server for the system, one for the directories of the commands,
 * and the emulator, whose input and output lead to the agent. The sockets between them
 * are removed as soon as they are connected. Safe for use by several threads.
 */
final class MachineFactory {

	private static final Logger logger = System.getLogger(MachineFactory.class.getName());

	private static final long SERVER_NANOS = 10_000_000_000L;

	private static final long POLL_MILLIS = 3;

	/**
	 * A kernel that is emulated on a busy machine may wait for a timer forever while it
	 * starts.
	 */
	private static final int EMULATED_ATTEMPTS = 3;

	/** Exit code of a file server that serves nothing. */
	private static final int OTHER_MOUNTS = 125;

	/** The arguments before {@code --} are lines that the mount table has to have. */
	private static final String VERIFY = "all=$(cat /proc/self/mountinfo); while [ \"$1\" != -- ]; do case $all in"
			+ " *\" $1 \"*) ;; *) exit " + OTHER_MOUNTS + ";; esac; shift; done; shift; exec \"$@\"";

	/** The descriptor of the console of the machine. */
	private static final String WITH_CONSOLE = "exec \"$@\" 3>&2";

	private final MicroVmOptions options;

	private final PrivateDirectory directory;

	private final ProcessLauncher launcher;

	private final OrphanReaper reaper;

	private final QemuPrograms programs;

	private final Confinement confinement;

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
		this.programs = new QemuPrograms(options);
		this.confinement = new Confinement(options.runAs(), reaper.mark());
	}

	QemuPrograms programs() {
		return this.programs;
	}

	Confinement confinement() {
		return this.confinement;
	}

	/**
	 * Starts a machine, and waits until its agent is ready.
	 * @param accelerator the accelerator of QEMU
	 * @throws SandboxException if it does not start
	 */
	Machine start(MachineSpec spec, String accelerator) {
		try {
			this.reaper.ensureRunning();
			int attempts = accelerator.equals(QemuPrograms.KVM) ? 1 : EMULATED_ATTEMPTS;
			Duration timeout = this.options.bootTimeout().dividedBy(attempts);
			for (int attempt = 1;; attempt++) {
				Machine machine = new Start(newDirectory()).machine(spec, accelerator, timeout, attempt == attempts);
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
	 * Runs a program in a confinement of its own, and waits until it has ended.
	 * @param mounts further arguments of {@code bwrap}
	 */
	void run(List<String> mounts, List<String> program) throws IOException {
		this.reaper.ensureRunning();
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
		HostUser user = this.options.runAs();
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

	private static SandboxException replaced() {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
				"A directory was replaced while it was being mounted, so the command was not run", "try again");
	}

	/**
	 * The start of one machine.
	 */
	private final class Start {

		private final Path sockets;

		private final List<Process> processes = new ArrayList<>();

		private final List<Thread> readers = new ArrayList<>();

		private boolean started;

		Start(Path sockets) {
			this.sockets = sockets;
		}

		/**
		 * Starts the machine.
		 * @return null if it was not ready in time, and this is not the last attempt
		 */
		@Nullable Machine machine(MachineSpec spec, String accelerator, Duration timeout, boolean last)
				throws IOException, InterruptedException {
			Machine machine = null;
			try {
				SharedTree system = SharedTree.ofSystem(configuration(), MachineFactory.this.options.hiddenPaths());
				SharedTree work = SharedTree.ofMounts(spec.mounts());
				Server programFiles = serve("system", system, List.of("cache=always"));
				// files change on the host as well
				Server files = serve("work", work, List.of("cache=auto", "timeout=0"));
				programFiles.await();
				files.await();
				OutputTail console = new OutputTail();
				Process emulator = launch(emulator(accelerator), console, false);
				machine = new Machine(emulator, this.processes, console, this.readers);
				if (!machine.awaitReady(timeout)) {
					if (machine.isLate() && !last) {
						logger.log(Level.DEBUG, "A virtual machine was not ready in time and is started again");
						return null;
					}
					throw new SandboxException(SandboxErrorCode.START_FAILED,
							"A virtual machine did not start: " + ended(machine),
							"look for the cause in these last words of it, and on the machine");
				}
				machine.require(ServedMounts.of(files.process().toHandle(), MachineSpec.lines(spec.mounts())));
				if (!machine.usable()) {
					throw replaced();
				}
				this.started = true;
				return machine;
			}
			finally {
				if (machine != null && !this.started) {
					machine.end("it did not start");
				}
				if (machine == null) {
					this.processes.forEach(Process::destroyForcibly);
				}
				remove();
			}
		}

		private String ended(Machine machine) throws InterruptedException {
			for (Thread reader : this.readers) {
				// the last words come after the end of the connection
				reader.join(POLL_MILLIS * 100);
			}
			return machine.lastWords();
		}

		private void remove() {
			try {
				TreeDeletion.delete(this.sockets);
			}
			catch (IOException ex) {
				logger.log(Level.DEBUG, "The sockets of a virtual machine could not be removed", ex);
			}
		}

		private Server serve(String name, SharedTree tree, List<String> options) throws IOException {
			List<String> mounts = new ArrayList<>(List.of("--bind", this.sockets.toString(), "/s"));
			mounts.addAll(tree.arguments());
			List<String> program = new ArrayList<>(List.of("/bin/sh", "-c", VERIFY, "kairo"));
			program.addAll(tree.lines());
			program.addAll(
					List.of("--", MachineFactory.this.programs.virtiofsd().toString(), "-f", "--socket-path=/s/" + name,
							"-o", "source=" + SharedTree.ROOT, "-o", "sandbox=namespace", "-o", "log_level=err"));
			options.forEach((option) -> program.addAll(List.of("-o", option)));
			OutputTail tail = new OutputTail();
			Process process = launch(MachineFactory.this.confinement.fileServer(mounts, program), tail, true);
			return new Server(process, this.sockets.resolve(name), tail);
		}

		private ProcessBuilder emulator(String accelerator) {
			MicroVmOptions options = MachineFactory.this.options;
			boolean kvm = accelerator.equals(QemuPrograms.KVM);
			List<String> mounts = new ArrayList<>(
					List.of("--ro-bind", this.sockets.toString(), "/s", "--ro-bind", options.kernel().toString(),
							"/image/vmlinuz", "--ro-bind", options.initrd().toString(), "/image/initrd"));
			if (kvm) {
				mounts.addAll(
						List.of("--dev-bind", QemuPrograms.KVM_DEVICE.toString(), QemuPrograms.KVM_DEVICE.toString()));
			}
			String memory = (options.memoryBytes() >> 20) + "M";
			List<String> program = new ArrayList<>(List.of("/bin/sh", "-c", WITH_CONSOLE, "kairo",
					MachineFactory.this.programs.qemu().toString(), "-nodefaults", "-no-user-config", "-no-reboot",
					"-display", "none", "-monitor", "none", "-parallel", "none", "-sandbox",
					"on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny", "-M",
					"microvm,isa-serial=on,pit=on,pic=on,rtc=on", "-accel", accelerator, "-cpu", kvm ? "host" : "max",
					"-smp", "" + options.cpus(), "-m", memory, "-object",
					"memory-backend-memfd,id=memory,size=" + memory + ",share=on", "-numa", "node,memdev=memory",
					"-global", "virtio-mmio.force-legacy=false", "-kernel", "/image/vmlinuz", "-initrd",
					"/image/initrd", "-append",
					"console=ttyS0 quiet reboot=t panic=-1 rdinit=/init" + (kvm ? "" : EmulatedClock.parameters()),
					"-add-fd", "fd=3,set=1", "-chardev", "file,id=console,path=/dev/fdset/1,append=on", "-serial",
					"chardev:console", "-chardev", "stdio,id=agent,signal=off", "-device", "virtio-serial-device",
					"-device", "virtserialport,chardev=agent,name=kairo"));
			for (String share : List.of("system", "work")) {
				program.addAll(List.of("-chardev", "socket,id=" + share + ",path=/s/" + share, "-device",
						"vhost-user-fs-device,chardev=" + share + ",tag=" + share));
			}
			return MachineFactory.this.confinement.plain(mounts, program);
		}

		private Process launch(ProcessBuilder builder, OutputTail tail, boolean noOutput) throws IOException {
			if (noOutput) {
				builder.redirectErrorStream(true).redirectInput(new File("/dev/null"));
			}
			Process process = MachineFactory.this.launcher.launch(builder);
			this.processes.add(process);
			InputStream said = noOutput ? process.getInputStream() : process.getErrorStream();
			this.readers.add(DaemonThreads.start("kairo-machine-log", () -> tail.readAll(said)));
			return process;
		}

	}

	/**
	 * A file server that is being started.
	 *
	 * @param process the process
	 * @param socket the socket that it creates when it is ready
	 * @param tail what it says
	 */
	private record Server(Process process, Path socket, OutputTail tail) {

		void await() throws InterruptedException {
			long deadline = System.nanoTime() + SERVER_NANOS;
			while (!Files.exists(this.socket)) {
				if (!this.process.isAlive() && this.process.exitValue() == OTHER_MOUNTS) {
					throw replaced();
				}
				if (!this.process.isAlive() || System.nanoTime() - deadline > 0) {
					Thread.sleep(POLL_MILLIS);
					throw new SandboxException(SandboxErrorCode.START_FAILED,
							"The file server of a virtual machine did not start: " + this.tail.text(),
							"look for the cause in its message");
				}
				Thread.sleep(POLL_MILLIS);
			}
		}

	}

}
