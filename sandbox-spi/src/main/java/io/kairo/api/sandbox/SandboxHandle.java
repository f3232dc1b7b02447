package io.kairo.api.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A command that was started. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public interface SandboxHandle extends AutoCloseable {

	/**
	 * Returns the output. Each subscriber, however late or slow, sees every retained byte
	 * in the order in which it was read, and then completion. Retained are the first
	 * {@link SandboxRequest#maxOutputBytes()} bytes and the last
	 * {@link SandboxAttributes#tailBytes()} bytes beyond them; the latter are delivered
	 * when the command has ended. No subscriber delays the command or another subscriber,
	 * and cancelling a subscription does not end the command. Chunks arrive on a thread
	 * of the subscription's own and may end in the middle of a character.
	 * @return the output; it never fails because of the command
	 */
	Flux<SandboxOutputChunk> output();

	/**
	 * Returns how the command ended. The value is cached: it may be asked for any number
	 * of times, before and after the end. It is emitted after the output is complete in
	 * the log, and does not wait for subscribers.
	 * @return the exit; it never fails because of the command
	 */
	Mono<SandboxExit> exit();

	/**
	 * Ends the command and everything it started, as far as {@link SandboxCapabilities}
	 * say. Returns without waiting for it; {@link #exit()} tells. Does nothing when the
	 * command has ended or was cancelled before.
	 */
	void cancel();

	/**
	 * Cancels the command if it still runs and frees what it holds. Subscribers that are
	 * still reading are completed early. Closing a second time does nothing.
	 */
	@Override
	void close();

	/**
	 * Returns the command's standard input.
	 * @return a stream to write to, a closed one unless {@link SandboxAttributes#stdin()}
	 * was asked for
	 * @since 0.1.0
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
	 * Returns how many bytes of output were neither in the first nor in the last part
	 * that is retained.
	 * @return the number so far, final when {@link #exit()} has emitted
	 * @since 0.1.0
	 */
	default long discardedBytes() {
		return 0;
	}

	/**
	 * Returns whether output was discarded since it could not be stored, as where the
	 * disk is full, and not for the bounds of the request.
	 * @return true if some was, final when {@link #exit()} has emitted
	 * @since 0.1.0
	 */
	default boolean outputStorageFailed() {
		return false;
	}

	/**
	 * Returns the directory that the command's shell was in when it ended.
	 * @return a host path; null before the end, and when it is not known
	 * @since 0.1.0
	 */
	default @Nullable Path workingDirectory() {
		return null;
	}

	/**
	 * Returns how many processes the command had left running when its shell ended. They
	 * were ended then: nothing outlives a command.
	 * @return the number, final when {@link #exit()} has emitted; 0 where it is not known
	 * @since 0.1.0
	 */
	default int leftoverProcesses() {
		return 0;
	}

}
