package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.sandbox.remote.protocol.EndMessage;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.Frame;
import io.kairo.sandbox.remote.protocol.Messages;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A command that runs for a client, or has ended and keeps its output. Safe for use by
 * several threads.
 */
final class ServedCommand {

	private static final Duration TICK = Duration.ofMillis(250);

	/** The client hears something after at most so many ticks. */
	private static final int SILENT_TICKS = 20;

	private static final byte[] ALIVE = Frame.of(Frame.ALIVE, new byte[0], 0);

	private final SandboxHandle handle;

	private final RequestedDirectories directories;

	private final OutputStream input;

	/** Number of bytes of input so far; guarded by the input. */
	private long received;

	private final AtomicReference<@Nullable Runnable> onClose;

	/** When the command ended, by {@link System#nanoTime()}; 0 while it runs. */
	private final AtomicLong ended = new AtomicLong();

	/**
	 * Creates the command.
	 * @param directories the directories of the command
	 * @param onClose called once, when this is closed
	 */
	ServedCommand(SandboxHandle handle, RequestedDirectories directories, Runnable onClose) {
		this.handle = handle;
		this.directories = directories;
		this.onClose = new AtomicReference<>(onClose);
		this.input = handle.stdin();
		handle.exit().subscribe((exit) -> this.ended.set(System.nanoTime() | 1));
	}

	/**
	 * Returns whether the command ended before a time.
	 * @param nanos a time by {@link System#nanoTime()}
	 */
	boolean endedBefore(long nanos) {
		long end = this.ended.get();
		return end != 0 && end - nanos < 0;
	}

	/**
	 * Returns the frames of the output from a position on, and of the end.
	 * @param from the number of bytes of output to skip
	 */
	Flux<byte[]> frames(long from) {
		AtomicLong left = new AtomicLong(from);
		Flux<byte[]> output = this.handle.output().flatMapIterable((chunk) -> frame(chunk, left), 1);
		Flux<byte[]> all = output.concatWith(this.handle.exit().map(this::end));
		return all
			.publish((frames) -> Flux.merge(frames, ticks().takeUntilOther(frames.ignoreElements().onErrorComplete())));
	}

	/**
	 * Returns frames that tell how much output was discarded, as it grows, and from time
	 * to time that the stream is alive.
	 */
	private Flux<byte[]> ticks() {
		AtomicLong told = new AtomicLong();
		return Flux.interval(TICK).onBackpressureDrop().flatMapIterable((tick) -> {
			long discarded = this.handle.discardedBytes();
			if (discarded != told.getAndSet(discarded)) {
				return List
					.of(Frame.of(Frame.DISCARDED, ByteBuffer.allocate(Long.BYTES).putLong(discarded).array(), 0));
			}
			return (tick % SILENT_TICKS == 0) ? List.of(ALIVE) : List.of();
		}, 1);
	}

	/**
	 * Returns the frame of a chunk; none if all of it is to be skipped.
	 */
	private static List<byte[]> frame(SandboxOutputChunk chunk, AtomicLong left) {
		byte[] data = chunk.data();
		int skipped = (int) Math.min(left.get(), data.length);
		left.addAndGet(-skipped);
		byte type = (chunk instanceof SandboxOutputChunk.Stdout) ? Frame.STDOUT : Frame.STDERR;
		return (skipped < data.length) ? List.of(Frame.of(type, data, skipped)) : List.of();
	}

	private byte[] end(SandboxExit exit) {
		Duration cpuTime = this.handle.cpuTime();
		Path last = this.handle.workingDirectory();
		String directory = (last != null) ? this.directories.toClient(last) : null;
		boolean outside = this.handle.endedOutside() || (last != null && directory == null);
		return Frame.of(Frame.END,
				Messages.write(new EndMessage(exit.exitCode(), exit.signal(), exit.timedOut(),
						this.handle.discardedBytes(), this.handle.outputStorageFailed(), directory, outside,
						this.handle.leftoverProcesses(), (cpuTime != null) ? cpuTime.toNanos() : null)),
				0);
	}

	/**
	 * Writes input. Waits while the command does not read. Bytes that were received
	 * before are skipped, so that a request can be repeated.
	 * @param from the number of bytes before these
	 * @param last whether no more input follows
	 * @throws RefusedRequestException if there is a gap before the bytes
	 * @throws IOException if the command reads no more input
	 */
	void input(long from, byte[] bytes, boolean last) throws IOException {
		synchronized (this.input) {
			if (from < 0 || from > this.received) {
				throw new RefusedRequestException(ErrorMessage.CONFLICT,
						"The input continues at " + from + ", but only " + this.received + " bytes were received",
						"send it from there");
			}
			int known = (int) Math.min(bytes.length, this.received - from);
			if (known < bytes.length) {
				this.input.write(bytes, known, bytes.length - known);
				this.input.flush();
				this.received += bytes.length - known;
			}
			if (last) {
				this.input.close();
			}
		}
	}

	/**
	 * Ends the command.
	 * @return the end, emitted when it has ended
	 */
	Mono<SandboxExit> cancel() {
		this.handle.cancel();
		return this.handle.exit();
	}

	/**
	 * Ends the command and releases its output. Does nothing if that has happened.
	 */
	void close() {
		Runnable first = this.onClose.getAndSet(null);
		if (first != null) {
			this.handle.close();
			first.run();
		}
	}

}
