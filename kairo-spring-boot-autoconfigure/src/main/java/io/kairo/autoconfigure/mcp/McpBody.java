package io.kairo.autoconfigure.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.kairo.tools.ProcessorTurn;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.util.unit.DataSize;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The content of a message, with the chunks that it takes while it is in progress. For
 * use by one thread at a time.
 */
final class McpBody implements AutoCloseable {

	private static final int CHUNK_BYTES = 16 * 1024;

	/** Messages up to this size are read even when many large ones are in progress. */
	private static final int SMALL_BYTES = 4 * CHUNK_BYTES;

	private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(30);

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
	 * Reads the content, a large one in turns.
	 * @return the refusal, null if the content was read
	 */
	@Nullable ServerResponse read(ServerRequest request) throws IOException {
		ServerResponse tooLarge = McpRequestFilter.refuse(HttpStatus.CONTENT_TOO_LARGE,
				"The message is larger than " + this.maximum.toBytes() + " bytes that the server accepts");
		if (request.headers().contentLength().orElse(0) > this.maximum.toBytes()) {
			return tooLarge;
		}
		long started = System.nanoTime();
		byte[] chunk = new byte[CHUNK_BYTES];
		InputStream input = request.servletRequest().getInputStream();
		for (int read = input.read(chunk); read >= 0; read = input.read(chunk)) {
			try (ProcessorTurn turn = turn()) {
				this.content.write(chunk, 0, read);
				if (this.content.size() > this.maximum.toBytes()) {
					return tooLarge;
				}
				if (!take()) {
					return McpRequestFilter.refuse(HttpStatus.SERVICE_UNAVAILABLE,
							"Too many large messages are in progress: try again");
				}
				if (System.nanoTime() - started > READ_NANOS) {
					return McpRequestFilter.refuse(HttpStatus.REQUEST_TIMEOUT,
							"The message was not received within 30 seconds");
				}
			}
		}
		return null;
	}

	private ProcessorTurn turn() {
		return (this.content.size() > SMALL_BYTES) ? this.turns.get() : () -> {
		};
	}

	/**
	 * Takes the chunks for the content read so far.
	 */
	private boolean take() {
		int needed = (this.content.size() > SMALL_BYTES) ? this.content.size() / CHUNK_BYTES - this.taken : 0;
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
