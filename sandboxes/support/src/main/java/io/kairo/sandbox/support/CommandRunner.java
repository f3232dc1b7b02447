package io.kairo.sandbox.support;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.process.Cgroups;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands of one sandbox: creates the log and the handle of each command,
 * watches its timeout, and ends the remaining commands when the runner is closed or the
 * JVM shuts down. Two runners share nothing. A runner holds no thread and no file before
 * the first command. Safe for use by several threads.
 */
public final class CommandRunner implements AutoCloseable {

	private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(3);

	private final Set<CommandHandle> live = ConcurrentHashMap.newKeySet();

	private final AtomicLong names = new AtomicLong();

	private final Deadlines deadlines = new Deadlines();

	private final Thread shutdownHook = new Thread(null, this::closeOnShutdown, "kairo-shutdown", 0, false);

	private final PrivateDirectory directory;

	private final @Nullable Cgroups groups;

	private final Duration shutdownGrace;

	private final CountDownLatch done = new CountDownLatch(1);

	private boolean hooked;

	private boolean closed;

	/**
	 * Creates a runner.
	 * @param directory the directory for output that is not kept in memory; removed when
	 * the runner is closed
	 */
	public CommandRunner(PrivateDirectory directory) {
		this(directory, null, Duration.ZERO);
	}

	/**
	 * Creates a runner.
	 * @param directory the directory for output that is not kept in memory; removed when
	 * the runner is closed
	 * @param groups the control groups of the commands, or null; closed with the runner
	 * @param shutdownGrace time that a shutdown of the JVM leaves the application to
	 * close the runner before it closes itself; zero for none
	 */
	public CommandRunner(PrivateDirectory directory, @Nullable Cgroups groups, Duration shutdownGrace) {
		this.directory = directory;
		this.groups = groups;
		this.shutdownGrace = shutdownGrace;
	}

	/**
	 * Starts a command.
	 * @param request the request, with the timeout and the limits of the output
	 * @param starter starts the command
	 * @return the handle of the command
	 * @throws SandboxException if the command could not be started, or this runner is
	 * closed
	 */
	public SandboxHandle run(SandboxRequest request, Starter starter) {
		open();
		OutputLog log = new OutputLog(request.maxOutputBytes(), request.attributes().tailBytes(), this.directory);
		RunningCommand command = start(starter, log);
		CommandHandle handle = new CommandHandle(Long.toString(this.names.incrementAndGet()), command, log,
				request.timeout(), this.deadlines, this.live::remove);
		this.live.add(handle);
		try {
			handle.watch();
		}
		catch (OutOfMemoryError ex) {
			handle.close();
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"No more threads can be created to watch a command",
					"run fewer commands at a time or allow more threads", ex);
		}
		if (isClosed()) {
			handle.close();
			throw closed();
		}
		return handle;
	}

	/**
	 * Ends all commands and waits up to three seconds for them. Closing a second time
	 * does nothing.
	 */
	@Override
	public void close() {
		if (!markClosed()) {
			return;
		}
		this.live.forEach(CommandHandle::close);
		long deadline = System.nanoTime() + CLOSE_NANOS;
		try {
			for (CommandHandle handle : this.live) {
				if (!handle.awaitEnd(deadline - System.nanoTime())) {
					break;
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.deadlines.close();
		this.directory.close();
		if (this.groups != null) {
			this.groups.close();
		}
		this.done.countDown();
	}

	private void closeOnShutdown() {
		try {
			if (!this.done.await(Deadlines.nanos(this.shutdownGrace), TimeUnit.NANOSECONDS)) {
				close();
				this.done.await(CLOSE_NANOS, TimeUnit.NANOSECONDS);
			}
		}
		catch (InterruptedException ex) {
			close();
		}
	}

	private RunningCommand start(Starter starter, OutputLog log) {
		try {
			return starter.start(log);
		}
		catch (RuntimeException | Error ex) {
			log.release();
			if (isClosed()) {
				throw closed();
			}
			throw ex;
		}
	}

	private synchronized void open() {
		if (this.closed) {
			throw closed();
		}
		if (!this.hooked) {
			try {
				Runtime.getRuntime().addShutdownHook(this.shutdownHook);
			}
			catch (IllegalStateException ex) {
				throw new SandboxException(SandboxErrorCode.CLOSED, "The JVM is shutting down",
						"start commands before that", ex);
			}
			this.hooked = true;
		}
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	private synchronized boolean markClosed() {
		boolean first = !this.closed;
		this.closed = true;
		if (first && this.hooked && Thread.currentThread() != this.shutdownHook) {
			try {
				Runtime.getRuntime().removeShutdownHook(this.shutdownHook);
			}
			catch (IllegalStateException ex) {
				// the JVM is shutting down: the hook finds this closed
				return true;
			}
		}
		return first;
	}

	private static SandboxException closed() {
		return new SandboxException(SandboxErrorCode.CLOSED, "The sandbox is closed",
				"start commands before closing it");
	}

	/**
	 * Starts one command.
	 */
	@FunctionalInterface
	public interface Starter {

		/**
		 * Starts the command without waiting for it.
		 * @param log the log for the output of the command
		 * @return the running command
		 * @throws SandboxException if the command cannot be started; the attempt must not
		 * leave anything behind
		 */
		RunningCommand start(OutputLog log);

	}

}
