package io.kairo.sandbox.support;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import org.jspecify.annotations.Nullable;

/**
 * A command with a watcher. When the command has ended, the remarks of the watcher are
 * appended to its error output, and the watcher is ended.
 */
public final class WatchedCommand implements RunningCommand {

	private final RunningCommand command;

	private final OutputLog log;

	private final Supplier<List<String>> remarks;

	private final Runnable end;

	private final Supplier<Optional<Duration>> accounted;

	/**
	 * Creates the command.
	 * @param command the watched command
	 * @param log the log for its output
	 * @param remarks returns the remarks, each one line without a line terminator; called
	 * once the command has ended or was killed
	 * @param end ends the watcher; called after the command was released, must not block
	 */
	public WatchedCommand(RunningCommand command, OutputLog log, Supplier<List<String>> remarks, Runnable end) {
		this(command, log, remarks, end, Optional::empty);
	}

	/**
	 * Creates the command.
	 * @param command the watched command
	 * @param log the log for its output
	 * @param remarks returns the remarks, each one line without a line terminator; called
	 * once the command has ended or was killed
	 * @param end ends the watcher; called after the command was released, must not block
	 * @param accounted returns the CPU time for which the watcher accounts, instead of
	 * that which the command has measured
	 */
	public WatchedCommand(RunningCommand command, OutputLog log, Supplier<List<String>> remarks, Runnable end,
			Supplier<Optional<Duration>> accounted) {
		this.accounted = accounted;
		this.command = command;
		this.log = log;
		this.remarks = remarks;
		this.end = end;
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		return this.command.await();
	}

	@Override
	public int settle() {
		int left = this.command.settle();
		tell();
		return left;
	}

	@Override
	public void kill() {
		this.command.kill();
		tell();
	}

	@Override
	public void release() {
		try {
			this.command.release();
		}
		finally {
			this.end.run();
		}
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.command.stdin();
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.command.workingDirectory();
	}

	@Override
	public boolean endedOutside() {
		return this.command.endedOutside();
	}

	@Override
	public @Nullable Duration cpuTime() {
		return this.accounted.get().orElseGet(this.command::cpuTime);
	}

	private void tell() {
		for (String remark : this.remarks.get()) {
			byte[] line = ("kairo: " + remark + "\n").getBytes(StandardCharsets.UTF_8);
			this.log.append(OutputChannel.STDERR, line, 0, line.length);
		}
	}

}
