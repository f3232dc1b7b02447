package io.kairo.sandbox.microvm;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.support.process.ProcessLauncher;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * The start of one machine: a file server for the system, one for the directories of the
 * commands, and the emulator. The input and output of the emulator lead to the agent. The
 * sockets between them are removed as soon as they are connected. For use by one thread,
 * once.
 */
final class MachineStart {

	private static final Logger logger = System.getLogger(MachineStart.class.getName());

	/** How long to wait for the last words of a program that has ended. */
	static final long LAST_WORDS_MILLIS = 300;

	/** The arguments before {@code --} are lines that the mount table has to have. */
	private static final String VERIFY = "all=$(cat /proc/self/mountinfo); while [ \"$1\" != -- ]; do case $all in"
			+ " *\" $1 \"*) ;; *) exit " + FileServer.OTHER_MOUNTS + ";; esac; shift; done; shift; exec \"$@\"";

	/** The descriptor of the console of the machine. */
	private static final String WITH_CONSOLE = "exec \"$@\" 3>&2";

	private static final List<String> SYSTEM_OPTIONS = List.of("cache=always");

	/** Files of commands change on the host as well. */
	private static final List<String> WORK_OPTIONS = List.of("cache=auto", "timeout=0");

	private final MicroVmOptions options;

	private final QemuPrograms programs;

	private final HostConfinement confinement;

	private final ProcessLauncher launcher;

	private final Path sockets;

	private final List<Process> processes = new ArrayList<>();

	private final List<Thread> readers = new ArrayList<>();

	/**
	 * Creates the value.
	 * @param launcher starts processes that end with the JVM
	 * @param sockets an empty directory of the user of the machines, removed at the end
	 */
	MachineStart(MicroVmOptions options, HostConfinement confinement, ProcessLauncher launcher, Path sockets) {
		this.options = options;
		this.programs = new QemuPrograms(options);
		this.confinement = confinement;
		this.launcher = launcher;
		this.sockets = sockets;
	}

	/**
	 * Starts a machine with the directories of a command.
	 * @param configuration the directory with the files of {@code /etc} that differ from
	 * the host
	 * @return null if it was not ready in time, and this is not the last attempt
	 */
	@Nullable Machine machine(Path configuration, List<MachineSpec.Mounted> mounts, String accelerator, Duration timeout,
			boolean last) throws IOException, InterruptedException {
		Machine machine = null;
		boolean started = false;
		try {
			SharedTree work = SharedTree.ofMounts(mounts);
			FileServer system = serveSystem(configuration);
			FileServer files = serve("work", work, verifying(work, virtiofsd("work", WORK_OPTIONS)), true);
			machine = emulate(List.of(system, files), accelerator);
			if (!isReady(machine, timeout, last)) {
				return null;
			}
			machine.require(ServedMounts.of(files.process().toHandle(), MachineSpec.lines(mounts)));
			if (!machine.usable()) {
				throw FileServer.replaced();
			}
			started = true;
			return machine;
		}
		finally {
			end(machine, started);
		}
	}

	/**
	 * Starts a machine that gets the directories of a command later.
	 * @param configuration the directory with the files of {@code /etc} that differ from
	 * the host
	 * @return null if it was not ready in time, and this is not the last attempt
	 */
	@Nullable PrestartedMachine prestarted(Path configuration, String accelerator, Duration timeout, boolean last)
			throws IOException, InterruptedException {
		Machine machine = null;
		boolean started = false;
		try {
			FileServer system = serveSystem(configuration);
			FileServer files = serve("work", LateMounts.tree(), LateMounts.program(virtiofsd("work", WORK_OPTIONS)),
					false);
			machine = emulate(List.of(system, files), accelerator);
			if (!isReady(machine, timeout, last)) {
				return null;
			}
			started = true;
			return new PrestartedMachine(machine, new LateMounts(files.process()));
		}
		finally {
			end(machine, started);
		}
	}

	private Machine emulate(List<FileServer> servers, String accelerator) throws IOException, InterruptedException {
		for (FileServer server : servers) {
			server.await();
		}
		ConsoleTail console = new ConsoleTail();
		Process emulator = launch(emulator(accelerator));
		read(emulator.getErrorStream(), console);
		return new Machine(emulator, this.processes, console, this.readers);
	}

	private boolean isReady(Machine machine, Duration timeout, boolean last) throws InterruptedException {
		if (machine.awaitReady(timeout)) {
			return true;
		}
		if (machine.isLate() && !last) {
			logger.log(Level.DEBUG, "A virtual machine was not ready in time and is started again");
			return false;
		}
		for (Thread reader : this.readers) {
			// the last words come after the end of the connection
			reader.join(LAST_WORDS_MILLIS);
		}
		throw new SandboxException(SandboxErrorCode.START_FAILED,
				"A virtual machine did not start: " + machine.lastWords(),
				"look for the cause in these last words of it, and on the machine");
	}

	private void end(@Nullable Machine machine, boolean started) {
		if (machine != null && !started) {
			machine.end("it did not start");
		}
		if (machine == null) {
			this.processes.forEach(Process::destroyForcibly);
		}
		try {
			TreeDeletion.delete(this.sockets);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The sockets of a virtual machine could not be removed", ex);
		}
	}

	private FileServer serveSystem(Path configuration) throws IOException {
		SharedTree tree = SharedTree.ofSystem(configuration, this.options.commands().hiddenPaths());
		return serve("system", tree, verifying(tree, virtiofsd("system", SYSTEM_OPTIONS)), true);
	}

	private List<String> virtiofsd(String name, List<String> options) {
		List<String> program = new ArrayList<>(
				List.of(this.programs.virtiofsd().toString(), "-f", "--socket-path=/s/" + name, "-o",
						"source=" + SharedTree.ROOT, "-o", "sandbox=namespace", "-o", "log_level=err"));
		options.forEach((option) -> program.addAll(List.of("-o", option)));
		return program;
	}

	private static List<String> verifying(SharedTree tree, List<String> server) {
		List<String> program = new ArrayList<>(List.of("/bin/sh", "-c", VERIFY, "kairo"));
		program.addAll(tree.lines());
		program.add("--");
		program.addAll(server);
		return program;
	}

	/**
	 * Starts a file server.
	 * @param silent whether nothing is read from it or written to it but its messages
	 */
	private FileServer serve(String name, SharedTree tree, List<String> program, boolean silent) throws IOException {
		List<String> mounts = new ArrayList<>(List.of("--bind", this.sockets.toString(), "/s"));
		mounts.addAll(tree.arguments());
		ProcessBuilder builder = this.confinement.fileServer(mounts, program);
		if (silent) {
			builder.redirectErrorStream(true).redirectInput(new File("/dev/null"));
		}
		ConsoleTail tail = new ConsoleTail();
		Process process = launch(builder);
		Thread reader = read(silent ? process.getInputStream() : process.getErrorStream(), tail);
		return new FileServer(process, this.sockets.resolve(name), tail, reader);
	}

	private ProcessBuilder emulator(String accelerator) {
		boolean kvm = accelerator.equals(QemuPrograms.KVM);
		List<String> mounts = new ArrayList<>(
				List.of("--ro-bind", this.sockets.toString(), "/s", "--ro-bind", this.options.kernel().toString(),
						"/image/vmlinuz", "--ro-bind", this.options.initrd().toString(), "/image/initrd"));
		if (kvm) {
			mounts
				.addAll(List.of("--dev-bind", QemuPrograms.KVM_DEVICE.toString(), QemuPrograms.KVM_DEVICE.toString()));
		}
		String memory = (this.options.memoryBytes() >> 20) + "M";
		List<String> program = new ArrayList<>(List.of("/bin/sh", "-c", WITH_CONSOLE, "kairo",
				this.programs.qemu().toString(), "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
				"-monitor", "none", "-parallel", "none", "-sandbox",
				"on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny", "-M",
				"microvm,isa-serial=on,pit=on,pic=on,rtc=on", "-accel", accelerator, "-cpu", kvm ? "host" : "max",
				"-smp", "" + this.options.cpus(), "-m", memory, "-object",
				"memory-backend-memfd,id=memory,size=" + memory + ",share=on", "-numa", "node,memdev=memory", "-global",
				"virtio-mmio.force-legacy=false", "-kernel", "/image/vmlinuz", "-initrd", "/image/initrd", "-append",
				"console=ttyS0 quiet reboot=t panic=-1 rdinit=/init" + (kvm ? "" : EmulatedClock.parameters()),
				"-add-fd", "fd=3,set=1", "-chardev", "file,id=console,path=/dev/fdset/1,append=on", "-serial",
				"chardev:console", "-chardev", "stdio,id=agent,signal=off", "-device", "virtio-serial-device",
				"-device", "virtserialport,chardev=agent,name=kairo"));
		for (String share : List.of("system", "work")) {
			program.addAll(List.of("-chardev", "socket,id=" + share + ",path=/s/" + share, "-device",
					"vhost-user-fs-device,chardev=" + share + ",tag=" + share));
		}
		return this.confinement.plain(mounts, program);
	}

	private Process launch(ProcessBuilder builder) throws IOException {
		Process process = this.launcher.launch(builder);
		this.processes.add(process);
		return process;
	}

	private Thread read(InputStream said, ConsoleTail tail) {
		Thread reader = DaemonThreads.start("kairo-machine-log", () -> tail.readAll(said));
		this.readers.add(reader);
		return reader;
	}

}
