package io.kairo.sandbox.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.Cgroup;
import io.kairo.sandbox.support.Cgroups;
import io.kairo.sandbox.support.CommandDirectory;
import io.kairo.sandbox.support.CommandRunner;
import io.kairo.sandbox.support.WorkingDirectoryFile;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.LimitedCommand;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.OutputLog;
import io.kairo.sandbox.support.PrivateDirectory;
import io.kairo.sandbox.support.ProcessSpec;
import io.kairo.sandbox.support.ResourceLimits;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.Shell;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands as processes of the host, by bash or else sh, each in a session of its
 * own. There is no isolation: a command can do whatever the user of the JVM can. What is
 * promised is the handling: output within bounds, timeouts, an environment that is an
 * allow-list, and that a command's processes end with it as far as they can be found.
 * <p>
 * Read-only requests and read-only mounts run in a mount namespace of their own, without
 * any capability, where the machine allows for that; elsewhere they are refused. Moved
 * mounts, a moved workspace and protected paths are refused. Safe for use by several
 * threads. Creating a sandbox takes neither thread nor file; the first command registers
 * a shutdown hook, which {@link #close()} removes.
 *
 * @since 0.1.0
 */
public class LocalProcessSandbox implements ExecutionSandbox, AutoCloseable {

	private final LocalProcessSandboxOptions options;

	private final EnvironmentAllowList environment;

	private final PrivateDirectory directory;

	private final CommandRunner runner;

	private final Cgroups groups = new Cgroups();

	private final ResourceLimits limits;

	private final ReadOnlyDirectories readOnly;

	private final RequestCheck check;

	private final Shell shell = Shell.find();

	/**
	 * Creates a sandbox with the usual options.
	 */
	public LocalProcessSandbox() {
		this(LocalProcessSandboxOptions.defaults());
	}

	/**
	 * Creates a sandbox.
	 * @param options how commands are run
	 */
	public LocalProcessSandbox(LocalProcessSandboxOptions options) {
		this.options = options;
		this.environment = new EnvironmentAllowList(options.inheritEnv());
		this.directory = new PrivateDirectory(options.directory());
		this.runner = new CommandRunner(this.directory, this.groups, options.shutdownGrace());
		this.limits = new ResourceLimits(options.limits());
		this.readOnly = new ReadOnlyDirectories(this.directory);
		this.check = new RequestCheck(this.readOnly);
	}

	/**
	 * {@inheritDoc}
	 * @throws SandboxException with {@link SandboxErrorCode#UNSUPPORTED_REQUEST},
	 * {@link SandboxErrorCode#INVALID_DIRECTORY},
	 * {@link SandboxErrorCode#INVALID_COMMAND},
	 * {@link SandboxErrorCode#INVALID_ENVIRONMENT}, {@link SandboxErrorCode#START_FAILED}
	 * or {@link SandboxErrorCode#CLOSED}
	 */
	@Override
	public SandboxHandle start(SandboxRequest request) {
		this.check.check(request);
		Path start = CommandDirectory.of(request);
		List<Path> readOnly = ReadOnlyDirectories.of(request);
		Map<String, String> entries = this.environment.environment(System.getenv(), request.env());
		return this.runner.run(request, (log) -> start(request, start, readOnly, entries, log));
	}

	@Override
	public SandboxCapabilities capabilities() {
		return ProcessCapabilities.of(this.readOnly.problem(), this.groups.problem(), this.limits);
	}

	/**
	 * Ends all commands, waiting three seconds at most until they have ended.
	 */
	@Override
	public void close() {
		this.runner.close();
		this.limits.close();
	}

	private RunningCommand start(SandboxRequest request, Path start, List<Path> readOnly, Map<String, String> entries,
			OutputLog log) {
		WorkingDirectoryFile report = report();
		LimitedCommand limited = this.limits.prepare();
		Cgroup group = null;
		boolean started = false;
		try {
			Cgroup joined = limited.treeGroup();
			group = (joined != null) ? joined : group();
			String prelude = (group != null && joined == null) ? group.prelude() : "";
			List<String> shell = this.shell.arguments(request.command(), report.file().toString(), prelude);
			ProcessSpec spec = new ProcessSpec(limited.arguments(this.readOnly.arguments(shell, start, readOnly)),
					start, entries, request.attributes().stdin(), this.options.killGrace(), report, group);
			LocalProcess process = LocalProcess.start(spec, log);
			started = true;
			return limited.watch(process, log);
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
			throw new SandboxException(SandboxErrorCode.START_FAILED, "A control group could not be made",
					"see the cause", ex);
		}
	}

	private WorkingDirectoryFile report() {
		try {
			return new WorkingDirectoryFile(this.directory.newPath("directory"));
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"A private directory for temporary files could not be made", "see the cause", ex);
		}
	}

}
