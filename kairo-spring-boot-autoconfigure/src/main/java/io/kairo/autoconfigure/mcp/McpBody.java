package io.kairo.autoconfigure.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import io.kairo.tools.session.ProcessorTurn;

import org.springframework.http.HttpStatus;
import org.springframework.util.unit.DataSize;

/**
 * The content of a message, with the chunks that it takes while it is in progress. For
 * use by one thread at a time.
 */
final class McpBody implements AutoCloseable {

	private static final int CHUNK_BYTES = 16 * 1024;

	/** Messages up to this size are read even when many large ones are in progress. */
	private static final int SMALL_BYTES = 4 * CHUNK_BYTES;

	static final Duration READ_TIME = Duration.ofSeconds(30);

	private final DataSize maximum;

	private final Semaphore chunks;

	private final Supplier<ProcessorTurn> turns;

	private final ByteArrayOutputStream content = new ByteArrayOutputStream(1024);

	private int taken;

	/**
	 * Creates an empty content.
	 * @param maximum the maximum size
	 * @param chunks the chunks that all large messages in progress can take
	 * @param turns waits for the turn of the caller on a processor
	 */
	McpBody(DataSize maximum, Semaphore chunks, Supplier<ProcessorTurn> turns) {
		this.maximum = maximum;
		this.chunks = chunks;
		this.turns = turns;
	}

	/**
	 * Returns the chunks that all large messages in progress can take: a sixteenth of the
	 * heap, or one message of the maximum size.
	 */
	static Semaphore chunks(DataSize maximum) {
		return new Semaphore(
				(int) (Math.max(maximum.toBytes(), Runtime.getRuntime().maxMemory() / 16) / CHUNK_BYTES) + 1);
	}

	/**
	 * Reads the content, large content in turns.
	 * @param length the length that the client announces, 0 if it is not known
	 * @throws McpRefusedException if the content is too large, or was not received in
	 * time
	 */
	void read(long length, InputStream input) throws IOException {
		requireLength(length);
		long started = System.nanoTime();
		byte[] chunk = new byte[CHUNK_BYTES];
		for (int read = input.read(chunk); read >= 0; read = input.read(chunk)) {
			add(chunk, read);
			if (System.nanoTime() - started > READ_TIME.toNanos()) {
				throw tooSlow();
			}
		}
	}

	/**
	 * Refuses a content that is too large.
	 * @param length the length that the client announces, 0 if it is not known
	 */
	void requireLength(long length) {
		if (length > this.maximum.toBytes()) {
			throw tooLarge();
		}
	}

	/**
	 * Adds a part, in turn if the content is large.
	 */
	void add(byte[] part, int length) {
		try (ProcessorTurn turn = turn()) {
			this.content.write(part, 0, length);
			requireLength(this.content.size());
			if (!take()) {
				throw new McpRefusedException(HttpStatus.SERVICE_UNAVAILABLE,
						"Too many large messages are in progress: try again");
			}
		}
	}

	/**
	 * Returns whether a part can be added without a turn.
	 */
	boolean isSmall() {
		return this.content.size() <= SMALL_BYTES;
	}

	private McpRefusedException tooLarge() {
		return new McpRefusedException(HttpStatus.CONTENT_TOO_LARGE,
				"The message is larger than " + this.maximum.toBytes() + " bytes that the server accepts");
	}

	static McpRefusedException tooSlow() {
		return new McpRefusedException(HttpStatus.REQUEST_TIMEOUT,
				"The message was not received within " + READ_TIME.toSeconds() + " seconds");
	}

	private ProcessorTurn turn() {
		return isSmall() ? () -> {
		} : this.turns.get();
	}

	/**
	 * Takes the chunks for the content read so far.
	 */
	private boolean take() {
		int needed = isSmall() ? 0 : this.content.size() / CHUNK_BYTES - this.taken;
		if (needed > 0 && !this.chunks.tryAcquire(needed)) {
			return false;
		}
		this.taken += needed;
		return true;
	}

	byte[] content() {
		return this.content.toByteArray();
	}

	@Override
	public void close() {
		this.chunks.release(this.taken);
		this.taken = 0;
	}

}
