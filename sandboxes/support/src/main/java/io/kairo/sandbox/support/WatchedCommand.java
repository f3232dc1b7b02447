package io.kairo.sandbox.support;

import java.nio.charset.StandardCharsets;
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
public final class WatchedCommand extends ForwardingCommand {

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
	 * @param accounted returns the CPU time that the watcher measured, instead of the one
	 * that the command measured
	 */
	public WatchedCommand(RunningCommand command, OutputLog log, Supplier<List<String>> remarks, Runnable end,
			Supplier<Optional<Duration>> accounted) {
		super(command);
		this.accounted = accounted;
		this.log = log;
		this.remarks = remarks;
		this.end = end;
	}

	@Override
	public int settle() {
		int left = super.settle();
		tell();
		return left;
	}

	@Override
	public void kill() {
		super.kill();
		tell();
	}

	@Override
	public void release() {
		try {
			super.release();
		}
		finally {
			this.end.run();
		}
	}

	@Override
	public @Nullable Duration cpuTime() {
		return this.accounted.get().orElseGet(super::cpuTime);
	}

	private void tell() {
		for (String remark : this.remarks.get()) {
			byte[] line = ("kairo: " + remark + "\n").getBytes(StandardCharsets.UTF_8);
			this.log.append(OutputChannel.STDERR, line, 0, line.length);
		}
	}

}
