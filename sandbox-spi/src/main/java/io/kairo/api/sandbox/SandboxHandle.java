package io.kairo.api.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The handle of a started command. Safe for use by several threads.
 */
public interface SandboxHandle extends AutoCloseable {

	/**
	 * Returns the output. Each subscriber, including late and slow ones, receives every
	 * retained byte in the order of reading, and then completion. Retained are the first
	 * {@link SandboxRequest#maxOutputBytes()} bytes and the last
	 * {@link SandboxAttributes#tailBytes()} bytes beyond them; the latter are delivered
	 * when the command has ended. No subscriber delays the command or another subscriber,
	 * and cancelling a subscription does not end the command. Chunks arrive on a separate
	 * thread per subscription and may end in the middle of a character.
	 * @return the output; it never fails because of the command
	 */
	Flux<SandboxOutputChunk> output();

	/**
	 * Returns the end of the command. The value is cached and available to any number of
	 * subscribers, before and after the end. It is emitted after the output is complete
	 * in the log, and does not wait for subscribers of the output.
	 * @return the exit; it never fails because of the command
	 */
	Mono<SandboxExit> exit();

	/**
	 * Ends the command and all processes that it started, as far as the
	 * {@link SandboxCapabilities} guarantee it. Returns without waiting for the end.
	 * {@link #exit()} reports the end. Does nothing if the command has ended or was
	 * cancelled before.
	 */
	void cancel();

	/**
	 * Cancels the command if it is still running and releases its resources. Active
	 * subscribers complete early. Closing a second time does nothing.
	 */
	@Override
	void close();

	/**
	 * Returns the standard input of the command.
	 * @return a stream to write to, closed unless {@link SandboxAttributes#stdin()} was
	 * requested
	 */
	default OutputStream stdin() {
		OutputStream closed = OutputStream.nullOutputStream();
		try {
			closed.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return closed;
	}

	/**
	 * Returns the number of bytes of output that are not retained because they are
	 * neither among the first nor among the last bytes. Output of a command that ended
	 * long ago may be discarded although the handle is open, if it was never read to its
	 * end and has no subscriber; it is counted from then on.
	 * @return the number so far; final when {@link #exit()} has emitted, except for
	 * output that is discarded later
	 */
	default long discardedBytes() {
		return 0;
	}

	/**
	 * Returns whether output was discarded because it could not be stored, for instance
	 * on a full disk, and not because of the limits of the request.
	 * @return true if output could not be stored, final when {@link #exit()} has emitted
	 */
	default boolean outputStorageFailed() {
		return false;
	}

	/**
	 * Returns the last working directory of the shell.
	 * @return a host path; null before the end, or if it is not known
	 */
	default @Nullable Path workingDirectory() {
		return null;
	}

	/**
	 * Returns whether the shell ended in a directory that no host path stands for, since
	 * it lies outside of the directories of the request and belongs to the sandbox.
	 * @return true if so; false before the end, or if it is not known
	 */
	default boolean endedOutside() {
		return false;
	}

	/**
	 * Returns the number of processes that were still running when the shell of the
	 * command ended. They were ended then, so that no process outlives its command.
	 * @return the number, final when {@link #exit()} has emitted; 0 if it is not known
	 */
	default int leftoverProcesses() {
		return 0;
	}

	/**
	 * Returns the CPU time of the command and of all processes that it started, in user
	 * and in kernel mode, as far as {@link SandboxCapability#CPU_TIME} says. It is a
	 * measurement, never the time on the wall clock.
	 * @return the time, final when {@link #exit()} has emitted; null before, or if it was
	 * not measured
	 */
	default @Nullable Duration cpuTime() {
		return null;
	}

	/**
	 * Returns the number of bytes that the command has written to its output, whether
	 * they are retained or not.
	 * @return the number so far, final when {@link #exit()} has emitted; -1 if it is not
	 * known
	 */
	default long outputBytes() {
		return -1;
	}

}
