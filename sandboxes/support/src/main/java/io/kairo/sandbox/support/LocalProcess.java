package io.kairo.sandbox.support;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.HostUser;
import io.kairo.host.ProcStat;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.output.ProcessOutput;
import io.kairo.sandbox.support.process.Cgroup;
import io.kairo.sandbox.support.process.NativeProcess;
import io.kairo.sandbox.support.process.ProcCookie;
import io.kairo.sandbox.support.process.ProcessLauncher;
import io.kairo.sandbox.support.process.ProcessTree;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs as a process of the host, in its own session if {@code setsid} is
 * installed.
 */
public final class LocalProcess implements RunningCommand {

	private static final long DRAIN_MILLIS = 150;

	private static final long KILL_DRAIN_MILLIS = 500;

	private static final long PATIENCE_MILLIS = 1000;

	private static final long PAUSE_NANOS = 100_000;

	/** The error number in the formats of Java 17 and Java 25. */
	private static final Pattern E2BIG = Pattern.compile("error(=7,|: 7 )");

	private final ProcessOutput output;

	private final ProcessTree tree;

	private final @Nullable CommandInput input;

	private final @Nullable WorkingDirectoryFile report;

	private final @Nullable Cgroup group;

	private volatile @Nullable Path lastDirectory;

	private volatile boolean killed;

	private LocalProcess(ProcessOutput output, ProcessTree tree, @Nullable CommandInput input,
			@Nullable WorkingDirectoryFile report, @Nullable Cgroup group) {
		this.output = output;
		this.tree = tree;
		this.input = input;
		this.report = report;
		this.group = group;
	}

	/**
	 * Starts a process.
	 * @param spec the process to start
	 * @param log the log for its output
	 * @return the running command
	 * @throws SandboxException if the operating system refuses; nothing is left then
	 */
	public static LocalProcess start(ProcessSpec spec, OutputLog log) {
		return start(spec, log, ProcessBuilder::start);
	}

	/**
	 * Starts a process with a launcher.
	 * @param spec the process to start
	 * @param log the log for its output
	 * @param launcher starts the process
	 * @return the running command
	 * @throws SandboxException if the operating system refuses; nothing is left then
	 */
	public static LocalProcess start(ProcessSpec spec, OutputLog log, ProcessLauncher launcher) {
		ProcCookie cookie = new ProcCookie();
		Path setsid = launcher.createsSession() ? null : Executables.find("setsid");
		List<String> before = new ArrayList<>((setsid != null) ? List.of(setsid.toString()) : List.of());
		before.addAll(launcher.createsSession() ? List.of() : SignalReset.arguments());
		ProcessOutput output;
		try {
			output = launcher.launch(builder(spec, before, cookie), log);
		}
		catch (SandboxException ex) {
			throw ex;
		}
		catch (IOException | RuntimeException ex) {
			throw startFailure(ex, spec.directory());
		}
		Process process = output.process();
		ProcessTree tree = ProcessTree.of(process, setsid != null || launcher.createsSession(), cookie, launcher.role(),
				spec.group(), spec.killGrace());
		CommandInput input = spec.stdin() ? new CommandInput(process.getOutputStream()) : null;
		return new LocalProcess(output, tree, input, spec.report(), spec.group());
	}

	private static ProcessBuilder builder(ProcessSpec spec, List<String> before, ProcCookie cookie) {
		List<String> arguments = new ArrayList<>(before);
		arguments.addAll(spec.arguments());
		ProcessBuilder builder = new ProcessBuilder(arguments).directory(spec.directory().toFile());
		builder.environment().clear();
		builder.environment().putAll(spec.environment());
		builder.environment().put(ProcCookie.NAME, cookie.value());
		if (!spec.stdin()) {
			builder.redirectInput(Redirect.from(emptyInput()));
		}
		return builder;
	}

	/**
	 * Returns the reason why the operating system did not start a process, by the error
	 * number in the message of the Java platform.
	 * @param directory the working directory of the process
	 * @throws SandboxException if the working directory cannot be entered
	 */
	static SandboxException startFailure(Exception failure, Path directory) {
		if (E2BIG.matcher(String.valueOf(failure.getMessage())).find()) {
			return new SandboxException(SandboxErrorCode.INVALID_ENVIRONMENT,
					"The command and its environment together are too long for a process",
					"pass fewer or shorter environment variables", failure);
		}
		CommandDirectory.requireEnterable("working directory", directory);
		return new SandboxException(SandboxErrorCode.START_FAILED, "The operating system refused to start a process",
				"see the cause; usual reasons are too many processes, too many open files or too little memory",
				failure);
	}

	/**
	 * Gives the pipes of the process to another user, who can then open them by their
	 * paths, such as {@code /dev/stdout}. To be called while the process runs a trusted
	 * program. Does nothing if the process has ended.
	 * @param user the user that the command runs as
	 * @throws IOException if the pipes cannot be given away
	 */
	public void handOverPipes(HostUser user) throws IOException {
		for (int descriptor = 0; descriptor <= 2; descriptor++) {
			Path path = Path.of("/proc/" + this.output.process().pid() + "/fd/" + descriptor);
			try {
				if (Files.readSymbolicLink(path).toString().startsWith("pipe:")) {
					Files.setAttribute(path, "unix:uid", user.uid());
				}
			}
			catch (NoSuchFileException ex) {
				return;
			}
		}
	}

	/**
	 * Completes a command as {@link #settle()} does, given a process whose end implies
	 * the end of all others, such as the first process of a PID namespace. Leftovers are
	 * searched for only if that process or the output does not end in time.
	 * @param last the id of the process; it is about to end
	 * @return number of leftover processes, if they were searched for
	 */
	public int settle(long last) {
		boolean drained = this.output.await(DRAIN_MILLIS);
		boolean ended = awaitEnd(last);
		return (drained && ended) ? 0 : settle();
	}

	/**
	 * Waits up to a second until another process of the host has ended. Does not wait if
	 * the state of processes is not known on this system. A zombie counts as ended.
	 * @param pid the process id
	 * @return false if the process has not ended
	 */
	public static boolean awaitEnd(long pid) {
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
		while (isAlive(pid)) {
			if (System.nanoTime() > deadline) {
				return false;
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		return true;
	}

	private static boolean isAlive(long pid) {
		ProcStat stat = ProcStat.read(pid);
		return stat != null && stat.alive();
	}

	/**
	 * Returns whether the started process has not ended.
	 * @return whether it runs
	 */
	public boolean isAlive() {
		return this.output.process().isAlive();
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		return CommandEnd.ofExitCode(this.output.awaitExit());
	}

	/**
	 * Waits a moment for processes that hold the output open, then ends them. Output that
	 * is held open by a process that cannot be found is not waited for.
	 */
	@Override
	public int settle() {
		this.output.await(DRAIN_MILLIS);
		int left = this.tree.endLeftovers();
		this.output.await(PATIENCE_MILLIS);
		if (this.report != null) {
			this.lastDirectory = this.report.existingDirectory();
		}
		return left;
	}

	@Override
	public void kill() {
		this.killed = true;
		this.tree.end();
		this.output.await(KILL_DRAIN_MILLIS);
	}

	@Override
	public void release() {
		if (this.input != null) {
			this.input.close();
		}
		if (this.report != null) {
			this.report.delete();
		}
		if (this.group != null) {
			this.group.close();
		}
		this.output.close();
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.input;
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.lastDirectory;
	}

	/**
	 * {@inheritDoc} A control group accounts for all processes. Otherwise the time covers
	 * the started process, the processes that it has waited for, and the processes that
	 * had to be ended. It does not cover a process that left its parents and ended
	 * before.
	 */
	@Override
	public @Nullable Duration cpuTime() {
		Optional<Duration> accounted = (this.group != null) ? this.group.cpuTime() : Optional.empty();
		return accounted.or(this::measured).orElse(null);
	}

	private Optional<Duration> measured() {
		if (!(this.output.process() instanceof NativeProcess process)) {
			return Optional.empty();
		}
		Duration ended = this.tree.endedCpuTime();
		// a killed process has not waited for the processes killed with it
		return process.cpuTime().map((own) -> this.killed ? max(own, ended) : own.plus(ended));
	}

	private static Duration max(Duration first, Duration second) {
		return (first.compareTo(second) > 0) ? first : second;
	}

	private static File emptyInput() {
		return new File(System.getProperty("os.name").startsWith("Windows") ? "NUL" : "/dev/null");
	}

}
