package io.kairo.sandbox.microvm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.support.CommandRunner;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.JavaOptions;
import io.kairo.sandbox.support.OrphanReaper;
import io.kairo.sandbox.support.Shell;
import io.kairo.sandbox.support.cache.CacheMounts;
import io.kairo.sandbox.support.process.LauncherThread;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that runs commands in virtual machines of QEMU: with a kernel of their own,
 * the programs of the host, the workspace and its mounts, and without a network device;
 * the hosts of an allow-list are reached through the connection to the JVM. A machine
 * serves the commands of one tenant with the same directories, also several at a time,
 * and is ended when it has been idle for some time. Files that a command must not change
 * are read-only on the host, where the kernel of the machine has no say. Commands of one
 * machine are kept apart by that kernel only. A start blocks while a machine is started,
 * less than a second with KVM and some seconds emulated, unless one of the tenant with
 * the same directories is running or one was started ahead.
 * <p>
 * If machines cannot be used, every request is refused, and {@link #problem()} returns
 * the reason. Safe for use by several threads. A new sandbox holds no thread, no file and
 * no process. Machines end with the JVM, even if that is killed; {@link #close()} ends
 * them.
 */
public final class MicroVmSandbox extends BackendSandbox {

	/** The file for the last directory of the shell, in the machine. */
	private static final String REPORT = "/run/kairo/directory";

	/** The directories of a session in the machine, as the agent mounts them. */
	private static final List<String> SHARED = List.of("/tmp", "/dev/shm", "/var/tmp", "/home/sandbox");

	/** The directory of caches in the machine. The home directory has links to them. */
	private static final Path CACHES = Path.of("/caches");

	private final MicroVmOptions options;

	private final PrivateDirectory control = new PrivateDirectory(null);

	private final CommandRunner runner;

	private final LauncherThread launcher = new LauncherThread("kairo-microvm", false);

	private final OrphanReaper reaper;

	private final Machines machines;

	private final MachineLaunch launch;

	private final MicroVmCheck check;

	private final GuestEnvironment environment;

	private final CacheMounts caches;

	private final boolean proxied;

	private final Shell shell = Shell.installedSystemWide();

	/**
	 * Creates a sandbox.
	 * @param options the options
	 */
	public MicroVmSandbox(MicroVmOptions options) {
		this(options, options.commands().newProxy(), null);
	}

	/**
	 * Creates a sandbox.
	 * @param proxy the proxy to the hosts of an allow-list, null if there is none
	 * @param check the check whether machines can be used; null for one of its own
	 */
	MicroVmSandbox(MicroVmOptions options, @Nullable AllowListProxy proxy, @Nullable MicroVmCheck check) {
		this.proxied = proxy != null;
		this.options = options;
		PrivateDirectory output = new PrivateDirectory(options.commands().directory());
		this.runner = new CommandRunner(output, null, options.commands().shutdownGrace());
		this.reaper = new OrphanReaper(this.launcher, options.commands().runAs());
		MachineFactory factory = new MachineFactory(options, this.control, this.launcher, this.reaper);
		MicroVmCheck used = (check != null) ? check
				: new MicroVmCheck(options, new MicroVmSelfTest(factory, options, output));
		this.check = used;
		this.machines = new Machines(options.pool(), options.memoryBytes(),
				() -> factory.startAhead(used.accelerator()));
		this.caches = new CacheMounts(options.commands().caches(), "microvm", options.commands().runAs(), CACHES,
				options.pool().idleTimeout());
		this.launch = new MachineLaunch(options, this.control, output, this.machines, factory, proxy, this.caches);
		this.environment = new GuestEnvironment(new EnvironmentAllowList(options.commands().inheritEnv()), proxy);
	}

	MicroVmCheck check() {
		return this.check;
	}

	/**
	 * Returns the problem that prevents the use of virtual machines. The first call runs
	 * a self-test in one. It takes less than a second with KVM, and some seconds
	 * emulated, and is repeated when a program or the image is replaced. If machines can
	 * be used, the configured number of them is started ahead in the background.
	 * @return the problem, or null if they can be used
	 */
	@Override
	public @Nullable BackendProblem problem() {
		BackendProblem problem = this.check.problem();
		if (problem == null) {
			this.machines.startAhead();
		}
		return problem;
	}

	/**
	 * Returns whether machines are emulated, as the processor cannot run them.
	 * @return false if they are not, or cannot be used
	 */
	public boolean isEmulated() {
		return this.check.isEmulated();
	}

	@Override
	protected SandboxHandle run(SandboxRequest request) {
		Map<String, String> variables = this.environment.variables(System.getenv(), request);
		List<String> command = this.shell.arguments(request, REPORT,
				this.options.commands().limits().perProcess().prelude());
		return this.runner.run(request, (log) -> {
			log.omit(JavaOptions.notice(variables));
			return this.launch.start(this.check.accelerator(), request, EnvironmentAllowList.entries(variables),
					command, log);
		});
	}

	@Override
	public SandboxCapabilities capabilities() {
		return MicroVmCapabilities.of(problem(), isEmulated(), this.options, this.proxied);
	}

	@Override
	public List<String> sharedDirectories(TenantContext tenant) {
		return (problem() == null) ? SHARED : List.of();
	}

	/**
	 * Returns the number of machines that were started ahead, are ready and not used.
	 * @return the number, at most {@link MachinePool#startedAhead()}
	 */
	public int readyAhead() {
		return this.machines.countReadyAhead();
	}

	/**
	 * Returns the machines.
	 */
	Machines machines() {
		return this.machines;
	}

	/**
	 * Counts the live processes of all commands that have an argument.
	 */
	int countProcesses(String argument) {
		return this.machines.countProcesses(argument);
	}

	/**
	 * Ends all commands and machines. Waits some seconds for that.
	 */
	@Override
	public void close() {
		this.runner.close();
		this.machines.close();
		this.caches.close();
		this.reaper.close();
		this.launcher.close();
		this.control.close();
	}

}
