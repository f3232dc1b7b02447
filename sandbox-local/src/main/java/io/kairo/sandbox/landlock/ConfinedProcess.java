package io.kairo.sandbox.landlock;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.kairo.linux.LandlockRuleset;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import io.kairo.linux.ThreadFilter;
import io.kairo.sandbox.support.process.DomainProcess;

/**
 * A process in a domain that a thread of this JVM has entered for it.
 */
final class ConfinedProcess extends DomainProcess {

	/**
	 * Waits for a line, and then becomes the command. Up to there nothing runs that is
	 * not trusted, so the environment of the command is not that of the shell.
	 */
	private static final String GATE = "read -r line || exit 125; exec \"$@\"";

	/** Gives the command its environment. */
	static final Path ENV = Path.of("/usr/bin/env");

	private final CommandThread thread;

	private final ProcessHandle handle;

	private final OutputStream input;

	private final InputStream output;

	private final InputStream errors;

	private ConfinedProcess(CommandThread thread, ProcessHandle handle, OutputStream input, InputStream output,
			InputStream errors) {
		this.thread = thread;
		this.handle = handle;
		this.input = input;
		this.output = output;
		this.errors = errors;
	}

	/**
	 * Starts a process.
	 * @param builder the process to start
	 * @param keeper starts the thread
	 * @param rules the rules of the domain
	 * @param filter the filter for system calls
	 * @throws IOException if the operating system refuses; nothing is left then
	 */
	static ConfinedProcess start(ProcessBuilder builder, NativeLinux linux, DomainKeeper keeper, LandlockRuleset rules,
			ThreadFilter filter) throws IOException {
		boolean typed = builder.redirectInput().type() == Redirect.Type.PIPE;
		try (Spawn spawn = new Spawn(linux, arguments(builder, typed), Map.of(),
				Objects.requireNonNull(builder.directory(), "directory").toPath(), true, true)) {
			// opened first: a process whose input could not be opened would wait at the
			// gate
			List<Closeable> streams = new ArrayList<>();
			try {
				OutputStream input = opened(spawn.input(), streams);
				InputStream output = opened(spawn.output(1), streams);
				InputStream errors = opened(spawn.output(2), streams);
				CommandThread thread = new CommandThread(linux, keeper, rules, filter, spawn);
				keeper.start("kairo-domain", thread);
				return start(thread, input, output, errors, typed);
			}
			catch (IOException | RuntimeException ex) {
				for (Closeable stream : streams) {
					stream.close();
				}
				throw ex;
			}
		}
	}

	private static <S extends Closeable> S opened(S stream, List<Closeable> streams) {
		streams.add(stream);
		return stream;
	}

	private static ConfinedProcess start(CommandThread thread, OutputStream input, InputStream output,
			InputStream errors, boolean typed) throws IOException {
		long pid = thread.pid();
		boolean opened = false;
		try {
			ConfinedProcess process = new ConfinedProcess(thread,
					ProcessHandle.of(pid).orElseThrow(() -> new IOException("The process has been lost")), input,
					output, errors);
			process.open(typed);
			opened = true;
			return process;
		}
		finally {
			thread.watch();
			if (!opened) {
				// the gate ends with its input
				thread.end();
			}
		}
	}

	private static List<String> arguments(ProcessBuilder builder, boolean typed) {
		List<String> arguments = new ArrayList<>(
				List.of("/bin/sh", "-c", typed ? GATE : GATE + " < /dev/null", "kairo", ENV.toString(), "-i", "--"));
		builder.environment().forEach((name, value) -> arguments.add(name + "=" + value));
		arguments.addAll(builder.command());
		return arguments;
	}

	private void open(boolean typed) throws IOException {
		this.input.write('\n');
		this.input.flush();
		if (!typed) {
			this.input.close();
		}
	}

	@Override
	public void killDomain() {
		this.handle.destroyForcibly();
		this.thread.killDomain();
	}

	@Override
	public void close() {
		this.thread.end();
	}

	@Override
	public OutputStream getOutputStream() {
		return this.input;
	}

	@Override
	public InputStream getInputStream() {
		return this.output;
	}

	@Override
	public InputStream getErrorStream() {
		return this.errors;
	}

	@Override
	public int waitFor() throws InterruptedException {
		try {
			return this.thread.exit().get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The process has been lost", ex);
		}
	}

	@Override
	public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
		try {
			this.thread.exit().get(timeout, unit);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (ExecutionException ex) {
			return true;
		}
	}

	@Override
	public int exitValue() {
		if (isAlive()) {
			throw new IllegalThreadStateException("The process has not ended");
		}
		return this.thread.exit().join();
	}

	@Override
	public boolean isAlive() {
		return !this.thread.exit().isDone();
	}

	@Override
	public void destroy() {
		this.handle.destroy();
	}

	@Override
	public boolean supportsNormalTermination() {
		return true;
	}

	@Override
	public Process destroyForcibly() {
		this.handle.destroyForcibly();
		return this;
	}

	@Override
	public long pid() {
		return this.handle.pid();
	}

	@Override
	public ProcessHandle toHandle() {
		return this.handle;
	}

}
