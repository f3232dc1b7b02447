package io.kairo.sandbox.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.CommandDirectory;
import io.kairo.sandbox.support.CommandRunner;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.JavaOptions;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.ProcessSpec;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.Shell;
import io.kairo.sandbox.support.WorkingDirectoryFile;
import io.kairo.sandbox.support.limits.LimitedCommand;
import io.kairo.sandbox.support.limits.ResourceLimits;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.process.Cgroup;
import io.kairo.sandbox.support.process.Cgroups;
import io.kairo.sandbox.support.process.NativeLauncher;
import io.kairo.sandbox.support.process.NativeProcess;
import io.kairo.sandbox.support.process.ProcessLauncher;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that runs commands as processes of the host, with bash or else sh, each in
 * its own session. There is no isolation: a command has all permissions of the user of
 * the JVM. Guaranteed are limits of the output, timeouts, an allow-list for the
 * environment, and that the processes of a command end with it as far as they can be
 * found. Caches of tenants have no effect: commands use the home directory of the user.
 * <p>
 * Read-only requests and read-only mounts run in their own mount namespace without
 * capabilities if the machine supports it; otherwise they are refused. Mounts at other
 * paths, a workspace at another path and protected paths are refused. Safe for use by
 * several threads. A new sandbox holds no thread and no file. The first command registers
 * a shutdown hook; {@link #close()} removes it.
 */
public final class LocalProcessSandbox extends BackendSandbox {

	private final CommandSettings settings;

	private final EnvironmentAllowList environment;

	private final PrivateDirectory directory;

	private final CommandRunner runner;

	private final Cgroups groups = new Cgroups();

	private final ResourceLimits limits;

	private final ReadOnlyDirectories readOnly;

	private final RequestCheck check;

	private final Shell shell = Shell.find();

	private final ProcessLauncher launcher;

	/**
	 * Creates a sandbox with the default settings.
	 */
	public LocalProcessSandbox() {
		this(CommandSettings.DEFAULTS);
	}

	/**
	 * Creates a sandbox.
	 * @param settings the settings. Commands see the host as it is, so that hidden and
	 * read-only paths and a size of temporary files have no effect
	 * @throws IllegalArgumentException if the settings restrict the network or contain a
	 * user
	 */
	public LocalProcessSandbox(CommandSettings settings) {
		if ((settings.network() != null && settings.network() != Network.HOST) || settings.runAs() != null) {
			throw new IllegalArgumentException(
					"A process of the host can neither be kept off the network nor be given another user: "
							+ "use a sandbox that isolates, such as bubblewrap, or remove it");
		}
		this.settings = settings;
		this.environment = new EnvironmentAllowList(settings.inheritEnv());
		this.directory = new PrivateDirectory(settings.directory());
		this.runner = new CommandRunner(this.directory, this.groups, settings.shutdownGrace());
		this.limits = new ResourceLimits(settings.limits());
		this.readOnly = new ReadOnlyDirectories(this.directory);
		this.check = new RequestCheck(this.readOnly);
		NativeLauncher direct = settings.nativeCalls() ? NativeLauncher.find() : null;
		this.launcher = (direct != null) ? direct : ProcessBuilder::start;
	}

	@Override
	protected SandboxHandle run(SandboxRequest request) {
		this.check.check(request);
		Path startDirectory = CommandDirectory.of(request);
		List<Path> readOnly = ReadOnlyDirectories.of(request);
		Map<String, String> environment = this.environment.environment(System.getenv(), request.env());
		JavaOptions.addTo(environment, System.getProperty("user.home"));
		return this.runner.run(request, (log) -> launch(request, startDirectory, readOnly, environment, log));
	}

	@Override
	public SandboxCapabilities capabilities() {
		return ProcessCapabilities.of(this.readOnly.problem(), this.groups.problem(), this.limits, cpuTimeMeans());
	}

	private @Nullable String cpuTimeMeans() {
		if (this.groups.measuresCpuTime() || this.limits.measureCpuTime()) {
			return "the accounting of a control group for each command";
		}
		return this.launcher.createsSession() ? NativeProcess.CPU_TIME_MEANS : null;
	}

	@Override
	public void close() {
		this.runner.close();
		this.limits.close();
	}

	private RunningCommand launch(SandboxRequest request, Path startDirectory, List<Path> readOnly,
			Map<String, String> environment, OutputLog log) {
		log.omit(JavaOptions.notice(environment));
		WorkingDirectoryFile report = report();
		LimitedCommand limited = this.limits.prepare();
		Cgroup group = null;
		boolean started = false;
		try {
			Cgroup joined = limited.treeGroup();
			group = (joined != null) ? joined : group();
			String prelude = this.shell.prepare(environment)
					+ ((group != null && joined == null) ? group.prelude() : "");
			List<String> shell = this.shell.arguments(request, report.file().toString(), prelude);
			ProcessSpec spec = new ProcessSpec(
					limited.arguments(this.readOnly.arguments(shell, startDirectory, readOnly)), startDirectory,
					environment, request.attributes().stdin(), this.settings.killGrace(), report, group);
			LocalProcess process = LocalProcess.start(spec, log, this.launcher);
			started = true;
			return limited.reportingHits(process, log);
		}
		finally {
			if (!started) {
				limited.close();
				if (group != null) {
					group.close();
				}
			}
		}
	}

	private @Nullable Cgroup group() {
		try {
			return this.groups.create();
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED, "A control group could not be created",
					"see the cause", ex);
		}
	}

	private WorkingDirectoryFile report() {
		try {
			return new WorkingDirectoryFile(this.directory.newPath("directory"));
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"A private directory for temporary files could not be created", "see the cause", ex);
		}
	}

	/**
	 * Refuses requests that cannot be honoured for a process of the host. Attributes
	 * without an effect, such as a writable directory at its own path, are accepted.
	 */
	private static final class RequestCheck {

		private static final String REMEDY = "use a sandbox that isolates, such as bubblewrap, or remove it from the request";

		private final ReadOnlyDirectories readOnly;

		RequestCheck(ReadOnlyDirectories readOnly) {
			this.readOnly = readOnly;
		}

		/**
		 * Checks a request.
		 * @throws SandboxException if a part of it cannot be honoured
		 */
		void check(SandboxRequest request) {
			SandboxAttributes attributes = request.attributes();
			if (request.readOnly()) {
				checkReadOnly("the workspace");
			}
			if (!attributes.protectedPaths().isEmpty()) {
				throw unsupported("A command on the host cannot be prevented from changing "
						+ attributes.protectedPaths().get(0));
			}
			String target = attributes.workspaceTarget();
			if (target != null && !target.equals(request.workspaceRoot().toAbsolutePath().toString())) {
				throw unsupported("A command on the host sees the workspace at its own path, not at " + target);
			}
			if (attributes.withoutNetwork()) {
				throw unsupported("A command on the host cannot be kept off the network");
			}
			attributes.mounts().forEach(this::check);
		}

		private void check(SandboxAttributes.Mount mount) {
			if (!mount.target().equals(mount.source().toAbsolutePath().toString())) {
				throw unsupported("A command on the host sees directories at their own path, not at " + mount.target());
			}
			if (!mount.writable()) {
				checkReadOnly(mount.target());
			}
		}

		private void checkReadOnly(String what) {
			String problem = this.readOnly.problem();
			if (problem != null) {
				throw unsupported(
						"A command on this host cannot be prevented from writing to " + what + ": " + problem);
			}
		}

		private static SandboxException unsupported(String reason) {
			return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, reason, REMEDY);
		}

	}

}
