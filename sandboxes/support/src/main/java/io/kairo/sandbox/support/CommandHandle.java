package io.kairo.sandbox.support;

import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The handle of one command. The command runs until it exits, times out or is cancelled,
 * whichever comes first. Then its resources are released and its exit is emitted.
 */
final class CommandHandle implements SandboxHandle {

	private static final Logger logger = System.getLogger(CommandHandle.class.getName());

	private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);

	private final CountDownLatch ended = new CountDownLatch(1);

	private final ExitSignal exit = new ExitSignal();

	private final String name;

	private final RunningCommand command;

	private final OutputLog log;

	private final Duration timeout;

	private final Deadlines deadlines;

	private final Consumer<CommandHandle> onEnd;

	private volatile @Nullable Future<?> deadline;

	private volatile boolean closing;

	private volatile int leftovers;

	private volatile @Nullable Path workingDirectory;

	private volatile boolean endedOutside;

	private volatile @Nullable Duration cpuTime;

	CommandHandle(String name, RunningCommand command, OutputLog log, Duration timeout, Deadlines deadlines,
			Consumer<CommandHandle> onEnd) {
		this.name = name;
		this.command = command;
		this.log = log;
		this.timeout = timeout;
		this.deadlines = deadlines;
		this.onEnd = onEnd;
	}

	/**
	 * Starts to watch the command and its timeout.
	 */
	void watch() {
		try {
			this.deadline = this.deadlines.after(this.timeout, () -> stop(State.TIMED_OUT));
		}
		catch (RejectedExecutionException ex) {
			stop(State.CANCELLED);
		}
		DaemonThreads.start("kairo-command-" + this.name, this::awaitExit);
	}

	@Override
	public Flux<SandboxOutputChunk> output() {
		return this.log.chunks();
	}

	@Override
	public Mono<SandboxExit> exit() {
		return this.exit.mono();
	}

	@Override
	public void cancel() {
		stop(State.CANCELLED);
	}

	@Override
	public void close() {
		this.closing = true;
		cancel();
		if (this.ended.getCount() == 0) {
			cancelDeadline();
			this.log.release();
		}
	}

	@Override
	public OutputStream stdin() {
		OutputStream stdin = this.command.stdin();
		return (stdin != null) ? stdin : SandboxHandle.super.stdin();
	}

	@Override
	public long discardedBytes() {
		return this.log.discardedBytes();
	}

	@Override
	public boolean outputStorageFailed() {
		return this.log.storageFailed();
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.workingDirectory;
	}

	@Override
	public boolean endedOutside() {
		return this.endedOutside;
	}

	@Override
	public int leftoverProcesses() {
		return this.leftovers;
	}

	@Override
	public @Nullable Duration cpuTime() {
		return this.cpuTime;
	}

	@Override
	public long outputBytes() {
		return this.log.totalBytes();
	}

	/**
	 * Waits for the end of the command, and until it was reported to its subscribers.
	 * @return false after the given time
	 */
	boolean awaitEnd(long nanos) throws InterruptedException {
		return this.exit.awaitEmission(nanos);
	}

	private void awaitExit() {
		try {
			CommandEnd end = this.command.await();
			if (this.state.compareAndSet(State.RUNNING, State.EXITED)) {
				settle(end);
			}
		}
		catch (InterruptedException | RuntimeException ex) {
			logger.log(Level.WARNING, "Lost a command", ex);
			if (this.state.compareAndSet(State.RUNNING, State.EXITED)) {
				kill(SandboxExit.LOST, false);
			}
		}
	}

	private void settle(CommandEnd end) {
		try {
			this.leftovers = this.command.settle();
			this.workingDirectory = this.command.workingDirectory();
			this.endedOutside = this.command.endedOutside();
		}
		catch (RuntimeException ex) {
			logger.log(Level.WARNING, "The leftovers of a command could not be ended", ex);
		}
		finally {
			finish(end.exitCode(), end.signal(), false);
		}
	}

	/**
	 * Ends the command on a separate thread, since the caller may be the timer that all
	 * commands share.
	 */
	private void stop(State reason) {
		if (this.state.compareAndSet(State.RUNNING, reason)) {
			boolean timedOut = reason == State.TIMED_OUT;
			String signal = timedOut ? SandboxExit.TIMEOUT : SandboxExit.CANCELLED;
			DaemonThreads.startOrRun("kairo-kill-" + this.name, () -> kill(signal, timedOut));
		}
	}

	private void kill(String signal, boolean timedOut) {
		try {
			this.command.kill();
		}
		catch (RuntimeException ex) {
			logger.log(Level.WARNING, "A command could not be ended", ex);
		}
		finally {
			finish(-1, signal, timedOut);
		}
	}

	/**
	 * Releases the resources of the command and emits the exit. The exit comes last,
	 * since subscribers may keep the thread.
	 */
	private void finish(int exitCode, @Nullable String signal, boolean timedOut) {
		this.log.close();
		cancelDeadline();
		measure();
		try {
			this.command.release();
		}
		catch (RuntimeException ex) {
			logger.log(Level.WARNING, "Not all resources of a command could be released", ex);
		}
		SandboxExit value = new SandboxExit(exitCode, signal, timedOut, this.log.discardedBytes() > 0);
		this.ended.countDown();
		if (this.closing) {
			this.log.release();
		}
		else {
			this.deadline = OutputRetention.of(this.name, this.timeout, this.deadlines).releaseLater(this.log);
		}
		this.exit.emit(value);
		this.onEnd.accept(this);
	}

	private void measure() {
		try {
			this.cpuTime = this.command.cpuTime();
		}
		catch (RuntimeException ex) {
			logger.log(Level.WARNING, "The CPU time of a command could not be measured", ex);
		}
	}

	private void cancelDeadline() {
		Future<?> waiting = this.deadline;
		if (waiting != null) {
			waiting.cancel(false);
		}
	}

	private enum State {

		RUNNING, EXITED, TIMED_OUT, CANCELLED

	}

}
