package io.kairo.sandbox.support.transcript;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.output.OutputChannel;
import org.jspecify.annotations.Nullable;

/**
 * Access to the output of a running command at intervals: reads text from a cursor on,
 * and waits for output, for a line or for the end. Works with the handle of any sandbox.
 * The output is kept by the handle, so that late and repeated readers see the same as
 * early ones. The handle also provides input and cancellation.
 * <p>
 * A cursor is 0 or was returned by a call. It is valid as long as the handle, and each
 * reader has its own. A transcript holds memory for two chunks and a page, and one
 * subscription while it is open. Safe for use by several threads. They do not wait for
 * each other.
 */
public final class CommandTranscript implements AutoCloseable {

	/** Maximum number of bytes of a line that {@link #awaitLine} examines. */
	public static final int LONGEST_LINE = 8 * 1024;

	/** Timeout for retained output to arrive. */
	private static final Duration RETAINED = Duration.ofSeconds(10);

	private static final Duration FIRST = Duration.ofMillis(100);

	private static final Duration NEXT = Duration.ofMillis(25);

	/** Maximum time of a page of a command that keeps printing. */
	private static final Duration LONGEST = Duration.ofMillis(200);

	private final AtomicReference<@Nullable ChunkReader> idle = new AtomicReference<>();

	private final SandboxHandle handle;

	private final CompletableFuture<SandboxExit> exit;

	private final long head;

	private volatile boolean closed;

	/**
	 * Creates the transcript of a command.
	 * @param handle the handle of the command
	 * @param request the request of the command, to define how much of the beginning is
	 * kept
	 */
	public CommandTranscript(SandboxHandle handle, SandboxRequest request) {
		this.handle = handle;
		this.head = request.maxOutputBytes();
		this.exit = handle.exit().toFuture();
	}

	/**
	 * Reads the available output. While the command runs, output of the last fraction of
	 * a second may come with the next page. Once it has ended, only the last page is
	 * shorter than requested.
	 * @param cursor the position to start from
	 * @param maxBytes maximum number of bytes to read, above zero
	 * @return the text, empty if there is none
	 * @throws IllegalArgumentException if the cursor is negative or the number not above
	 * zero
	 * @throws IllegalStateException if the output cannot be read
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	public TranscriptPage read(long cursor, int maxBytes) throws InterruptedException {
		if (maxBytes <= 0) {
			throw new IllegalArgumentException("maxBytes is " + maxBytes + ": it must be above zero");
		}
		ChunkReader reader = take(cursor);
		try {
			return skip(reader, cursor, Expiry.after(RETAINED)) ? page(reader, cursor, maxBytes)
					: new TranscriptPage(List.of(), cursor, 0, reader.isComplete());
		}
		finally {
			giveBack(reader);
		}
	}

	/**
	 * Waits until output is available, or has ended.
	 * @param cursor the position to start from
	 * @param timeout the timeout
	 * @return false after the timeout
	 * @throws IllegalArgumentException if the cursor is negative
	 * @throws IllegalStateException if the output cannot be read
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	public boolean awaitOutput(long cursor, Duration timeout) throws InterruptedException {
		Expiry expiry = Expiry.after(timeout);
		ChunkReader reader = take(cursor);
		try {
			return skip(reader, cursor, expiry) && reader.await(expiry.left());
		}
		finally {
			giveBack(reader);
		}
	}

	/**
	 * Waits for a line. The predicate receives each line of either stream, and an
	 * incomplete line whenever it has grown, so that a prompt is found. Only the first
	 * {@link #LONGEST_LINE} bytes of a line are examined. An untrusted pattern still
	 * requires an engine with linear time.
	 * @param cursor the position to start from
	 * @param wanted tests a line without its line terminator
	 * @param timeout the timeout
	 * @return the line; empty after the timeout, or if the output has ended
	 * @throws IllegalArgumentException if the cursor is negative
	 * @throws IllegalStateException if the output cannot be read
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	public Optional<TranscriptLine> awaitLine(long cursor, Predicate<? super String> wanted, Duration timeout)
			throws InterruptedException {
		Expiry expiry = Expiry.after(timeout);
		Map<OutputChannel, LineScanner> scanners = new EnumMap<>(OutputChannel.class);
		ChunkReader reader = take(cursor);
		try {
			boolean more = skip(reader, cursor, expiry);
			while (more && reader.await(expiry.left()) && !reader.isComplete()) {
				OutputChannel channel = reader.channel();
				String line = scanners.computeIfAbsent(channel, (key) -> new LineScanner(wanted))
					.add(reader.take(reader.lineLength()));
				if (line != null) {
					return Optional.of(new TranscriptLine(channel, line, reader.position()));
				}
				more = expiry.left() > 0;
			}
			return Optional.empty();
		}
		finally {
			giveBack(reader);
		}
	}

	/**
	 * Waits for the end of the command.
	 * @param timeout the timeout; zero to return at once
	 * @return the exit; empty after the timeout
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	public Optional<SandboxExit> awaitExit(Duration timeout) throws InterruptedException {
		try {
			return Optional.of(this.exit.get(Expiry.after(timeout).left(), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			return Optional.empty();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The exit of the command is not known", ex.getCause());
		}
	}

	/**
	 * Releases the subscription and the buffers. The handle stays open.
	 */
	@Override
	public void close() {
		this.closed = true;
		cancel(this.idle.getAndSet(null));
	}

	private TranscriptPage page(ChunkReader reader, long cursor, int maxBytes) throws InterruptedException {
		PageText text = new PageText(reader);
		int left = maxBytes;
		Expiry expiry = Expiry.after(LONGEST);
		while (left > 0 && reader.await(patience(reader, expiry)) && !reader.isComplete()) {
			OutputChannel channel = reader.channel();
			byte[] data = reader.take(left);
			text.add(channel, data);
			left -= data.length;
		}
		long endComes = this.exit.isDone() ? RETAINED.toNanos() : 0;
		boolean complete = reader.await(endComes) && reader.isComplete();
		if (complete) {
			text.finish();
		}
		long next = reader.position();
		boolean gap = cursor <= this.head && (next > this.head || cursor == this.head || complete);
		return new TranscriptPage(text.parts(), next, gap ? this.handle.discardedBytes() : 0, complete);
	}

	private long patience(ChunkReader reader, Expiry expiry) {
		if (this.exit.isDone()) {
			return RETAINED.toNanos();
		}
		return Math.min(expiry.left(), (reader.isFresh() ? FIRST : NEXT).toNanos());
	}

	/**
	 * Discards the output before a cursor.
	 * @return false if less output is available
	 */
	private static boolean skip(ChunkReader reader, long cursor, Expiry expiry) throws InterruptedException {
		while (reader.position() < cursor) {
			if (!reader.await(expiry.left()) || reader.isComplete()) {
				return false;
			}
			reader.take((int) Math.min(cursor - reader.position(), Integer.MAX_VALUE));
		}
		return true;
	}

	private ChunkReader take(long cursor) {
		if (cursor < 0) {
			throw new IllegalArgumentException("The cursor is " + cursor + ": use 0 or a returned cursor");
		}
		ChunkReader reader = this.idle.getAndSet(null);
		if (reader != null && reader.position() <= cursor) {
			return reader;
		}
		cancel(reader);
		return new ChunkReader(this.handle);
	}

	private void giveBack(ChunkReader reader) {
		cancel(this.idle.getAndSet(reader));
		if (this.closed) {
			cancel(this.idle.getAndSet(null));
		}
	}

	private static void cancel(@Nullable ChunkReader reader) {
		if (reader != null) {
			reader.cancel();
		}
	}

	/**
	 * The end of a wait.
	 *
	 * @param nanoTime the time in terms of {@link System#nanoTime()}
	 */
	private record Expiry(long nanoTime) {

		private static final Duration LONGEST = Duration.ofDays(10_000);

		static Expiry after(Duration timeout) {
			Duration bounded = (timeout.compareTo(LONGEST) > 0) ? LONGEST : timeout;
			return new Expiry(System.nanoTime() + Math.max(0, bounded.toNanos()));
		}

		/**
		 * Returns the remaining time.
		 * @return nanoseconds, at least 0
		 */
		long left() {
			return Math.max(0, this.nanoTime - System.nanoTime());
		}

	}

	/**
	 * Tests the lines of one stream as they arrive. A line is tested whenever it has
	 * grown, since a prompt has no line terminator.
	 */
	private static final class LineScanner {

		private final Predicate<? super String> wanted;

		private final ByteArrayOutputStream line = new ByteArrayOutputStream();

		LineScanner(Predicate<? super String> wanted) {
			this.wanted = wanted;
		}

		/**
		 * Appends to the line, and starts a new line after a line terminator.
		 * @param data bytes with at most one line terminator, at the end
		 * @return the line if it matches
		 */
		@Nullable String add(byte[] data) {
			boolean ended = data.length > 0 && data[data.length - 1] == '\n';
			int length = Math.min(data.length - (ended ? 1 : 0), CommandTranscript.LONGEST_LINE - this.line.size());
			this.line.write(data, 0, length);
			boolean worthALook = ended || length > 0;
			String text = worthALook ? text() : "";
			if (ended) {
				this.line.reset();
			}
			return (worthALook && this.wanted.test(text)) ? text : null;
		}

		private String text() {
			byte[] bytes = this.line.toByteArray();
			int length = (bytes.length > 0 && bytes[bytes.length - 1] == '\r') ? bytes.length - 1 : bytes.length;
			return new String(bytes, 0, length, StandardCharsets.UTF_8);
		}

	}

}
