package io.kairo.sandbox.support;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.kairo.api.sandbox.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * A command that is a process of the host, in a session of its own where {@code setsid}
 * is installed.
 *
 * @since 0.1.0
 */
public final class LocalProcess implements RunningCommand {

	private static final long DRAIN_MILLIS = 150;

	private static final long KILL_DRAIN_MILLIS = 500;

	private static final long PATIENCE_MILLIS = 1000;

	private static final long PAUSE_NANOS = 100_000;

	private final Process process;

	private final ProcessTree tree;

	private final OutputPumps pumps;

	private final @Nullable CommandInput input;

	private final @Nullable WorkingDirectoryFile report;

	private final @Nullable Cgroup group;

	private volatile @Nullable Path lastDirectory;

	private LocalProcess(Process process, ProcessTree tree, OutputPumps pumps, @Nullable CommandInput input,
			@Nullable WorkingDirectoryFile report, @Nullable Cgroup group) {
		this.process = process;
		this.tree = tree;
		this.pumps = pumps;
		this.input = input;
		this.report = report;
		this.group = group;
	}

	/**
	 * Starts a process.
	 * @param spec what to start
	 * @param log where its output goes
	 * @return the running command
	 * @throws SandboxException if the operating system refuses; nothing is left then
	 */
	public static LocalProcess start(ProcessSpec spec, OutputLog log) {
		return start(spec, log, ProcessBuilder::start);
	}

	/**
	 * Starts a process in a way of the backend's own.
	 * @param spec what to start
	 * @param log where its output goes
	 * @param launcher starts it
	 * @return the running command
	 * @throws SandboxException if the operating system refuses; nothing is left then
	 */
	public static LocalProcess start(ProcessSpec spec, OutputLog log, ProcessLauncher launcher) {
		ProcCookie cookie = new ProcCookie();
		Path setsid = Executables.find("setsid");
		OutputPumps pumps = OutputPumps.prepare(log);
		Process process;
		try {
			process = launcher.launch(builder(spec, setsid, cookie));
		}
		catch (IOException | RuntimeException ex) {
			pumps.cancel();
			throw StartFailures.explain(ex, spec.directory());
		}
		pumps.begin(process);
		ProcessTree tree = ProcessTree.of(process, setsid != null, cookie, launcher.role(), spec.group(),
				spec.killGrace());
		CommandInput input = spec.stdin() ? new CommandInput(process.getOutputStream()) : null;
		return new LocalProcess(process, tree, pumps, input, spec.report(), spec.group());
	}

	private static ProcessBuilder builder(ProcessSpec spec, @Nullable Path setsid, ProcCookie cookie) {
		List<String> arguments = new ArrayList<>();
		if (setsid != null) {
			arguments.add(setsid.toString());
		}
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
	 * Completes a command as {@link #settle()} does, where nothing of it is left once
	 * another process has ended: such as the first one of a PID namespace, with which the
	 * kernel ends all others. Only if that takes long is there a look for what is left.
	 * @param last the id of that process, which is ending
	 * @return how many processes were left, if that took long
	 */
	public int settle(long last) {
		boolean drained = this.pumps.await(DRAIN_MILLIS);
		boolean ended = awaitEnd(last);
		return (drained && ended) ? 0 : settle();
	}

	/**
	 * Waits until another process of the host has ended, a second at most, or not at all
	 * where that cannot be told. A process that was not waited for has ended too.
	 * @param pid its id
	 * @return false if it has not ended
	 */
	public static boolean awaitEnd(long pid) {
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
		while (Cgroup.isAlive(pid)) {
			if (System.nanoTime() > deadline) {
				return false;
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		return true;
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		return CommandEnd.ofExitCode(this.process.waitFor());
	}

	/**
	 * Gives what holds the output open a moment to come to its end, then ends it. Output
	 * that is held open by something that could not be found is abandoned.
	 */
	@Override
	public int settle() {
		this.pumps.await(DRAIN_MILLIS);
		int left = this.tree.endLeftovers();
		if (!this.pumps.await(PATIENCE_MILLIS)) {
			this.pumps.abandon();
		}
		if (this.report != null) {
			this.lastDirectory = this.report.read();
		}
		return left;
	}

	@Override
	public void kill() {
		this.tree.end();
		if (!this.pumps.await(KILL_DRAIN_MILLIS)) {
			this.pumps.abandon();
		}
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
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.input;
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.lastDirectory;
	}

	private static File emptyInput() {
		return new File(System.getProperty("os.name").startsWith("Windows") ? "NUL" : "/dev/null");
	}

}
