package io.kairo.sandbox.support;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

import io.kairo.sandbox.support.output.OutputLog;
import org.jspecify.annotations.Nullable;

/**
 * A command that a backend has started, for use by its handle. The backend appends the
 * output to the given {@link OutputLog} from its own threads.
 */
public interface RunningCommand {

	/**
	 * Waits until the command has ended. Called once, on a thread that waits for nothing
	 * else.
	 * @return the end; ignored if the command was {@linkplain #kill() killed}
	 * @throws InterruptedException if the thread is interrupted
	 */
	CommandEnd await() throws InterruptedException;

	/**
	 * Completes the command after {@link #await()}: reads the rest of the output and ends
	 * leftover processes. Not called if the command was killed. Blocks for at most two
	 * seconds, unless it copies files, and returns even if a process keeps the output
	 * open.
	 * @return number of leftover processes
	 */
	int settle();

	/**
	 * Ends the command and all processes that it started, and reads the rest of the
	 * output. Blocks until this is done, for at most two seconds, unless it copies files.
	 * Called at most once.
	 */
	void kill();

	/**
	 * Releases all resources except the output. Called once, after {@link #settle()} or
	 * {@link #kill()}; must not block.
	 */
	void release();

	/**
	 * Returns the standard input of the command.
	 * @return a stream to write to, or null if none was requested
	 */
	default @Nullable OutputStream stdin() {
		return null;
	}

	/**
	 * Returns the last working directory of the shell. Called after {@link #settle()} and
	 * before {@link #release()}.
	 * @return a host path, or null if it is not known
	 */
	default @Nullable Path workingDirectory() {
		return null;
	}

	/**
	 * Returns whether the shell ended in a directory of the sandbox that no host path
	 * stands for. Called after {@link #settle()} and before {@link #release()}.
	 * @return whether that is known
	 */
	default boolean endedOutside() {
		return false;
	}

	/**
	 * Returns the CPU time of the command and of all processes that it started. Called
	 * after {@link #settle()} or {@link #kill()} and before {@link #release()}.
	 * @return the time, or null if it was not measured
	 */
	default @Nullable Duration cpuTime() {
		return null;
	}

}
