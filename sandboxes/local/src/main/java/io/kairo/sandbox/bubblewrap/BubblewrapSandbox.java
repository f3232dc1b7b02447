package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays.Overlay;
import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import io.kairo.host.ProcessRoot;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.CommandDirectory;
import io.kairo.sandbox.support.CommandRunner;
import io.kairo.sandbox.support.Executables;
import io.kairo.sandbox.support.JavaOptions;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.OrphanReaper;
import io.kairo.sandbox.support.ProcessSpec;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.Sessions;
import io.kairo.sandbox.support.Shell;
import io.kairo.sandbox.support.cache.TenantCaches;
import io.kairo.sandbox.support.limits.LimitedCommand;
import io.kairo.sandbox.support.limits.ResourceLimits;
import io.kairo.sandbox.support.mount.CommandMounts;
import io.kairo.sandbox.support.mount.MountPlaceholders;
import io.kairo.sandbox.support.mount.OwnerAccess;
import io.kairo.sandbox.support.mount.RequestMounts;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.process.LauncherThread;
import io.kairo.sandbox.support.seccomp.SeccompArchitecture;
import io.kairo.sandbox.support.seccomp.SeccompFilter;
import io.kairo.sandbox.support.seccomp.SeccompFilter.Facility;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that runs each command in its own Linux namespaces, created by {@code bwrap}:
 * a minimal root file system with the workspace and its mounts, no capability, no network
 * unless configured, no process of the host, and a system call filter. All processes of a
 * command end with it, and with the JVM, even if that is killed.
 * <p>
 * If bubblewrap cannot be used, every request is refused, and {@link #problem()} returns
 * the reason. Safe for use by several threads. A new sandbox holds no thread and no file.
 * The first command creates a thread, a process that waits for the end of the JVM, a
 * private directory and a shutdown hook; {@link #close()} releases them.
 */
public final class BubblewrapSandbox extends BackendSandbox {

	private static final System.Logger logger = System.getLogger(BubblewrapSandbox.class.getName());

	private final BubblewrapOptions options;

	private final PrivateDirectory directory;

	private final PrivateDirectory controlFiles;

	private final PrivateDirectory reportFiles = new PrivateDirectory(null);

	private final ControlDirectory control;

	private final CommandRunner runner;

	private final LauncherThread launcher;

	private final OrphanReaper reaper;

	private final BubblewrapCheck check;

	private final ResourceLimits limits;

	private final SystemMounts system;

	private final SandboxEnvironment environment;

	private final Networks networks;

	private final Sessions<SessionNamespaces> sessions;

	private final SessionCheck sessionCheck;

	private final ScriptRunner scripts;

	private final OwnerAccess access;

	private final RequestMounts mounts;

	private final Shell shell = Shell.installedSystemWide();

	/**
	 * Creates a sandbox with the default options.
	 */
	public BubblewrapSandbox() {
		this(BubblewrapOptions.DEFAULTS);
	}

	/**
	 * Creates a sandbox.
	 * @param options the options
	 */
	public BubblewrapSandbox(BubblewrapOptions options) {
		this(options, Networks.of(options.commands()));
	}

	BubblewrapSandbox(BubblewrapOptions options, Networks networks) {
		this.options = options;
		this.networks = networks;
		SeccompArchitecture architecture = SeccompArchitecture.ofThisMachine();
		byte[] filter = (architecture != null) ? SeccompFilter.create(architecture, facilities(options)) : new byte[0];
		this.directory = new PrivateDirectory(options.commands().directory());
		this.controlFiles = new PrivateDirectory(ControlDirectory.place());
		this.control = new ControlDirectory(this.controlFiles, this.reportFiles, options.commands().runAs(), filter);
		this.mounts = new RequestMounts(this::ownPaths, options.commands().hiddenPaths(), new MountPlaceholders());
		this.runner = new CommandRunner(this.directory, null, options.commands().shutdownGrace());
		this.launcher = new LauncherThread("kairo-bubblewrap", options.commands().nativeCalls());
		HostUser runAs = options.commands().runAs();
		this.reaper = new OrphanReaper(this.launcher, runAs);
		this.check = new BubblewrapCheck(options, architecture, this::tryOut);
		this.limits = new ResourceLimits(options.commands().limits());
		this.system = new SystemMounts(options);
		this.environment = new SandboxEnvironment(options, networks.proxy());
		this.scripts = new ScriptRunner(this.control, this.launcher);
		this.access = new OwnerAccess(
				(root, program) -> this.scripts.run(bubblewrap(sessionOf(root)), this.system, root, program), runAs);
		TenantCaches caches = new TenantCaches(options.commands().caches(), "bubblewrap", runAs, this::sessions);
		SessionFactory factory = new SessionFactory(options, this.control, this.launcher, networks, caches);
		// the proxy of a session has one tenant
		this.sessions = new Sessions<>(options.idleTimeout(), options.maxIdle(), networks.proxy() != null,
				(tenant, deadlines) -> factory.open(bubblewrap(null), tenant, deadlines), caches::trim);
		this.sessionCheck = new SessionCheck(this.sessions, this::tryOut);
	}

	/**
	 * Returns the problem that prevents the use of bubblewrap. The first call runs a
	 * self-test of some ten milliseconds. It is repeated when the program is replaced.
	 * @return the problem, or null if bubblewrap can be used
	 */
	@Override
	public @Nullable BackendProblem problem() {
		return this.check.problem();
	}

	@Override
	protected SandboxHandle run(SandboxRequest request) {
		Map<String, String> variables = this.environment.variables(System.getenv(), request);
		List<String> command = this.shell.arguments(request, Bubblewrap.REPORT,
				Bubblewrap.NO_CORE_DUMPS + (request.attributes().stdin() ? "" : Bubblewrap.NO_INPUT));
		return this.runner.run(request, (log) -> {
			BackendProblem problem = problem();
			if (problem != null) {
				throw problem.toException();
			}
			log.omit(JavaOptions.notice(variables));
			this.reaper.ensureRunning();
			this.mounts.restore(request, this.access);
			Path directory = CommandDirectory.of(request);
			Roots roots = Roots.of(request);
			roots.requireMountable();
			this.access.requireEntry(roots);
			return launch(request, roots, roots.toTarget(directory), SandboxEnvironment.arguments(variables), command,
					log);
		});
	}

	@Override
	public SandboxCapabilities capabilities() {
		return BubblewrapCapabilities.of(problem(), this.options.network(), this.limits);
	}

	@Override
	public @Nullable SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
		SessionNamespaces session = this.sessions.find(tenant, sessionId);
		return (session != null) ? session.temporaryFiles() : null;
	}

	@Override
	public List<String> sharedDirectories(TenantContext tenant) {
		boolean shared = this.options.maxIdle() > 0 && problem() == null && this.sessionCheck.passes();
		return shared ? Stream.of(TemporaryDirectory.values()).map(TemporaryDirectory::path).toList() : List.of();
	}

	@Override
	public @Nullable Overlay overlay(TenantContext tenant, String sessionId, Path lower, Path layer) {
		if (!SessionFactory.hasOverlays(this.options, this.networks) || problem() != null) {
			return null;
		}
		Sessions<SessionNamespaces>.Session session = null;
		Overlay overlay = null;
		try {
			this.reaper.ensureRunning();
			session = session(tenant, sessionId);
			overlay = (session != null) ? overlay(session, lower, layer) : null;
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "There is no overlay for a session", ex);
		}
		finally {
			if (session != null && overlay == null) {
				session.close();
			}
		}
		return overlay;
	}

	private static @Nullable Overlay overlay(Sessions<SessionNamespaces>.Session session, Path lower, Path layer)
			throws IOException {
		for (String name : List.of("upper", "work", "merged")) {
			Files.createDirectory(layer.resolve(name), OwnerOnly.directory(layer));
		}
		Files.setPosixFilePermissions(layer.resolve("upper"), Files.getPosixFilePermissions(lower));
		SessionNamespaces namespaces = session.resource();
		SessionDirectory merged = namespaces.mount(lower, layer);
		if (merged == null) {
			logger.log(Level.DEBUG, "No overlay can be mounted in {0}", layer);
			return null;
		}
		AtomicBoolean ended = new AtomicBoolean();
		return new Overlay(merged.source(), merged.intact(), () -> {
			if (!ended.getAndSet(true)) {
				namespaces.unmount(layer);
				session.close();
			}
		});
	}

	private @Nullable SessionNamespaces sessionOf(Path path) {
		ProcessRoot root = ProcessRoot.of(path);
		return (root == null) ? null : this.sessions.find((session) -> session.waiting().orElse(0) == root.pid());
	}

	@Override
	public void close() {
		this.runner.close();
		this.sessions.close();
		this.reaper.close();
		this.launcher.close();
		this.limits.close();
		this.controlFiles.close();
		this.reportFiles.close();
	}

	private RunningCommand launch(SandboxRequest request, Roots roots, Path startDirectory, List<String> environment,
			List<String> command, OutputLog log) {
		LimitedCommand limited = this.limits.prepare();
		CommandMounts mounts = null;
		ControlFiles files = null;
		Networks.CommandNetwork network = null;
		RunningCommand running = null;
		Sessions<SessionNamespaces>.Session session = null;
		boolean started = false;
		try {
			session = session(request.tenant(), request.attributes().sessionId());
			Bubblewrap bubblewrap = bubblewrap((session != null) ? session.resource() : null);
			mounts = this.mounts.create(request, roots, this.access, this.system.shown());
			files = this.control.newFiles();
			Network wanted = request.attributes().withoutNetwork() ? Network.NONE : this.options.network();
			network = (wanted == Network.NONE) ? Networks.CommandNetwork.NONE
					: bubblewrap.network(this.networks, files, request.tenant());
			MountArguments planned = new MountArguments(mounts.plan());
			files.writeArguments(bubblewrap.arguments(wanted,
					this.system.arguments(this.control, bubblewrap.session(), planned.plan(), request.readOnly()),
					planned.all(), environment, files, startDirectory));
			ProcessSpec spec = bubblewrap.spec(command, this.options.commands().killGrace(), limited, network);
			LocalProcess process = LocalProcess.start(spec, log,
					this.launcher.opening(files.inherited(this.control.filter(), network.isOwn())));
			running = network.reportingRefusals(new BubblewrapCommand(process, files, mounts, roots, log, session),
					log);
			HostUser runAs = this.options.commands().runAs();
			if (runAs != null) {
				process.handOverPipes(runAs);
			}
			OutputStream input = Objects.requireNonNull(process.stdin(), "stdin");
			planned.release(files, process::isAlive, input);
			if (!request.attributes().stdin()) {
				input.close();
			}
			started = true;
			return limited.reportingHits(running, log);
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"The private files of a command could not be created", "see the cause", ex);
		}
		finally {
			if (!started) {
				if (running != null) {
					running.kill();
					running.release();
				}
				else if (session != null) {
					session.close();
				}
				limited.close();
				if (mounts != null) {
					mounts.close();
				}
				if (network != null) {
					network.close();
				}
				if (files != null) {
					files.close();
				}
			}
		}
	}

	private Sessions<SessionNamespaces>.@Nullable Session session(TenantContext tenant, @Nullable String id)
			throws IOException {
		if (id == null || this.options.maxIdle() == 0 || !this.sessionCheck.passes()) {
			return null;
		}
		try {
			return this.sessions.take(tenant, id);
		}
		catch (IOException ex) {
			this.sessionCheck.repeat();
			throw ex;
		}
	}

	/**
	 * Returns the facilities that the namespaces of a command, and the mounts in there,
	 * confine.
	 */
	private static Set<Facility> facilities(BubblewrapOptions options) {
		EnumSet<Facility> facilities = EnumSet.of(Facility.INTERNET_SOCKETS, Facility.NAMED_IPC,
				Facility.FILE_ATTRIBUTES, Facility.FILE_EVENTS, Facility.OTHER_PROCESSES);
		if (options.unixSockets() == BubblewrapOptions.UnixSockets.ALLOWED) {
			facilities.add(Facility.UNIX_SOCKETS);
		}
		return facilities;
	}

	private Bubblewrap bubblewrap(@Nullable SessionNamespaces session) {
		return new Bubblewrap(Objects.requireNonNull(Executables.find("setpriv"), "setpriv"),
				Objects.requireNonNull(BubblewrapCheck.executable(this.options), "bwrap"),
				this.options.commands().runAs(), this.launcher.isDirect(), this.reaper.mark(), session);
	}

	private Sessions<?> sessions() {
		return this.sessions;
	}

	private List<Path> ownPaths() throws IOException {
		List<Path> paths = new ArrayList<>(List.of(this.directory.path()));
		paths.addAll(this.control.paths());
		return paths;
	}

	private @Nullable BackendProblem tryOut() {
		BackendProblem problem = this.networks.problem();
		if (problem != null) {
			return problem;
		}
		return tryOut(null);
	}

	private @Nullable BackendProblem tryOut(@Nullable SessionNamespaces session) {
		try {
			this.reaper.ensureRunning();
			return new BubblewrapSelfTest(this.scripts, this.system, bubblewrap(session), this.options, this.networks)
				.problem();
		}
		catch (IOException ex) {
			return Reason.CANARY_FAILED.found("the self-test could not be run: " + ex.getMessage());
		}
	}

}
