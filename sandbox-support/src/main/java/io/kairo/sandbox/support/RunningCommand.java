package io.kairo.sandbox.support;

import java.io.OutputStream;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * A command that a backend has started, as its handle sees it. The backend appends what
 * it prints to the {@link OutputLog} that it was given, from threads of its own.
 *
 * @since 0.1.0
 */
public interface RunningCommand {

	/**
	 * Waits until the command has ended. Called once, on a thread that waits for nothing
	 * else.
	 * @return how it ended; ignored if it was {@linkplain #kill() killed}
	 * @throws InterruptedException if the thread is interrupted
	 */
	CommandEnd await() throws InterruptedException;

	/**
	 * Completes what {@link #await()} has begun: lets the rest of the output come in and
	 * ends what the command has left running. Not called if the command was killed.
	 * Blocks for two seconds at most, and returns even if somebody keeps the output open.
	 * @return how many processes were left
	 */
	int settle();

	/**
	 * Ends the command and everything it started, and lets the rest of the output come
	 * in. Blocks until that is done, two seconds at most. Called once at most.
	 */
	void kill();

	/**
	 * Frees everything but the output. Called once, after {@link #settle()} or
	 * {@link #kill()}; must not block.
	 */
	void release();

	/**
	 * Returns the standard input of the command.
	 * @return a stream to write to, or null if none was asked for
	 */
	default @Nullable OutputStream stdin() {
		return null;
	}

	/**
	 * Returns the directory that the shell was in when it ended. Called after
	 * {@link #settle()} and before {@link #release()}.
	 * @return a host path, or null if it is not known
	 */
	default @Nullable Path workingDirectory() {
		return null;
	}

}
