package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.CommandRunner;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.JavaOptions;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.ProcessSpec;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.Sessions;
import io.kairo.sandbox.support.Shell;
import io.kairo.sandbox.support.WorkingDirectoryFile;
import io.kairo.sandbox.support.cache.CacheUse;
import io.kairo.sandbox.support.cache.TenantCaches;
import io.kairo.sandbox.support.limits.LimitedCommand;
import io.kairo.sandbox.support.limits.ResourceLimits;
import io.kairo.sandbox.support.output.OutputLog;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that runs each command in its own Landlock domain with a filter for system
 * calls: it can access the workspace and its mounts, read the programs and libraries of
 * the system, and has temporary files of its own or of its session; it has no network
 * unless configured, and cannot signal other processes. This needs no privilege, no
 * namespace and no program, so it also works for an ordinary user in a container with the
 * default profile of its engine.
 * <p>
 * Commands see directories at their own paths; protected paths are refused. If Landlock
 * cannot be used, every request is refused, and {@link #problem()} returns the reason.
 * Safe for use by several threads. A new sandbox holds no thread and no file. The first
 * command creates a thread, a process that waits for the end of the JVM, a private
 * directory and a shutdown hook; {@link #close()} releases them.
 */
public final class LandlockSandbox extends BackendSandbox {

	/** A core file would hold the memory of the command. */
	private static final String NO_CORE_FILES = "ulimit -c 0; ";

	private final CommandSettings settings;

	private final EnvironmentAllowList environment;

	private final PrivateDirectory directory;

	private final CommandRunner runner;

	private final ResourceLimits limits;

	private final AccessRules rules;

	private final LandlockCheck check;

	private final DomainPool pool;

	private final Sessions<TemporaryFiles> sessions;

	private final Shell shell = Shell.installedSystemWide();

	/**
	 * Creates a sandbox with the default settings.
	 */
	public LandlockSandbox() {
		this(CommandSettings.DEFAULTS);
	}

	/**
	 * Creates a sandbox.
	 * @param settings the settings, as described by the other constructor
	 * @throws IllegalArgumentException if the settings contain an allow-list or a user
	 */
	public LandlockSandbox(CommandSettings settings) {
		this(settings, Sessions.DEFAULT_IDLE_TIMEOUT, Sessions.DEFAULT_MAX_IDLE);
	}

	/**
	 * Creates a sandbox.
	 * @param settings the settings. {@code HOME} is a temporary directory of the session,
	 * with links to the caches, unless a request sets it. A request for a workspace or
	 * mount that contains a hidden path is refused. Limits of memory, processors and
	 * processes are not supported, nor is a limit of the size of temporary files
	 * @param idleTimeout the time until a session without a command loses its home
	 * directory and its temporary files, above zero
	 * @param maxIdle the maximum number of sessions without a command, at least 0; with
	 * 0, each command has a home directory and temporary files of its own
	 * @throws IllegalArgumentException if the settings contain an allow-list or a user,
	 * or another value is out of its range
	 */
	public LandlockSandbox(CommandSettings settings, Duration idleTimeout, int maxIdle) {
		if (settings.allowList() != null || settings.runAs() != null) {
			throw new IllegalArgumentException(
					"Landlock supports neither an allow-list of hosts nor another user: use bubblewrap or Docker, or remove it");
		}
		this.settings = settings;
		this.environment = new EnvironmentAllowList(settings.inheritEnv());
		this.directory = new PrivateDirectory(settings.directory());
		this.runner = new CommandRunner(this.directory, null, settings.shutdownGrace());
		CommandLimits limits = settings.limits();
		this.limits = new ResourceLimits(
				new CommandLimits(null, null, null, limits.fileSizeBytes(), limits.perProcess()));
		this.rules = new AccessRules(settings);
		this.check = new LandlockCheck(settings, this.directory, this.rules);
		this.pool = new DomainPool(this.directory, this.rules);
		TenantCaches kept = new TenantCaches(settings.caches(), "landlock", null, this::sessions);
		this.sessions = new Sessions<>(idleTimeout, maxIdle, false, (tenant, deadlines) -> files(kept.use(tenant)),
				kept::trim);
	}

	/**
	 * Returns the problem that prevents the use of Landlock. The first call runs a
	 * self-test of some ten milliseconds. A failed self-test is repeated after five
	 * seconds.
	 * @return the problem, or null if Landlock can be used
	 */
	@Override
	public @Nullable BackendProblem problem() {
		return this.check.problem();
	}

	@Override
	protected SandboxHandle run(SandboxRequest request) {
		Access access = this.rules.access(request);
		Map<String, String> environment = this.environment.environment(System.getenv(), request.env());
		Path startDirectory = this.rules.directory(request, access);
		return this.runner.run(request, (log) -> launch(request, access, startDirectory, environment, log));
	}

	@Override
	public SandboxCapabilities capabilities() {
		BackendProblem problem = problem();
		return LandlockCapabilities.of(problem, (problem == null) ? this.check.domains() : null,
				this.settings.network() == Network.HOST, this.limits);
	}

	@Override
	public @Nullable SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
		TemporaryFiles files = this.sessions.find(tenant, sessionId);
		return (files != null) ? new SessionDirectory(files.temporary().toString(), files.temporary(), files::isUsable)
				: null;
	}

	@Override
	public void close() {
		this.runner.close();
		this.pool.close();
		this.sessions.close();
		this.check.close();
		this.limits.close();
	}

	private TemporaryFiles files(CacheUse caches) throws IOException {
		TemporaryFiles files = null;
		try {
			files = TemporaryFiles.create(this.directory, caches);
			return files;
		}
		finally {
			if (files == null) {
				caches.close();
			}
		}
	}

	private Sessions<?> sessions() {
		return this.sessions;
	}

	private RunningCommand launch(SandboxRequest request, Access access, Path startDirectory,
			Map<String, String> environment, OutputLog log) {
		BackendProblem problem = problem();
		if (problem != null) {
			throw problem.toException();
		}
		LimitedCommand limited = this.limits.prepare();
		PooledDomain pooled = null;
		Sessions<TemporaryFiles>.Session session = null;
		boolean started = false;
		try {
			Domains domains = this.check.domains();
			session = this.sessions.take(request);
			pooled = this.pool.take(access, (session != null) ? session.resource() : null, domains);
			TemporaryFiles files = pooled.files();
			environment.putIfAbsent("TMPDIR", files.temporary().toString());
			// a configuration that exists and cannot be read is an error for Git
			environment.putIfAbsent("GIT_CONFIG_NOSYSTEM", "1");
			if (!request.env().containsKey("HOME") && environment.containsKey("HOME")) {
				environment.put("HOME", files.home().toString());
			}
			JavaOptions.addTo(environment, System.getProperty("user.home"));
			log.omit(JavaOptions.notice(environment));
			boolean gated = domains.gated() && Gate.fits(environment);
			String gate = gated ? Gate.prelude(request.attributes().stdin()) : "";
			String prelude = gate + NO_CORE_FILES + this.shell.prepare(environment);
			List<String> arguments = limited
				.arguments(this.shell.arguments(request, files.report().toString(), prelude));
			ProcessSpec spec = new ProcessSpec(arguments, startDirectory, environment, request.attributes().stdin(),
					this.settings.killGrace(), new WorkingDirectoryFile(files.report()), null);
			LocalProcess process = LocalProcess.start(spec, log, pooled.domain().launcher(gated));
			started = true;
			return limited.reportingHits(new LandlockCommand(process, pooled, this.pool, session), log);
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"The private files of a command could not be created", "see the cause", ex);
		}
		finally {
			if (!started) {
				limited.close();
				if (pooled != null) {
					pooled.close();
				}
				if (session != null) {
					session.close();
				}
			}
		}
	}

}
