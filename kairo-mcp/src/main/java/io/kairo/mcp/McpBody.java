package io.kairo.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.kairo.tools.session.ProcessorTurn;

import org.springframework.util.unit.DataSize;

/**
 * The content of a message, with the chunks that it takes while it is in progress. Parts
 * are added by one thread at a time, and another one can close it meanwhile.
 */
final class McpBody implements AutoCloseable {

	private static final int CHUNK_BYTES = 16 * 1024;

	/** Messages up to this size are read even when many large ones are in progress. */
	private static final int SMALL_BYTES = 4 * CHUNK_BYTES;

	static final Duration READ_TIME = Duration.ofSeconds(30);

	private final DataSize maximum;

	private final String tenant;

	private final Chunks chunks;

	private final Supplier<ProcessorTurn> turns;

	private final ByteArrayOutputStream content = new ByteArrayOutputStream(1024);

	private int taken;

	private boolean closed;

	/**
	 * Creates an empty content.
	 * @param maximum the maximum size
	 * @param tenant the id of the caller's tenant, empty if there is none
	 * @param chunks the chunks that all large messages in progress can take
	 * @param turns waits for the turn of the caller on a processor
	 */
	McpBody(DataSize maximum, String tenant, Chunks chunks, Supplier<ProcessorTurn> turns) {
		this.maximum = maximum;
		this.tenant = tenant;
		this.chunks = chunks;
		this.turns = turns;
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
			if (!append(part, length)) {
				throw new McpRefusedException(503, "Too many large messages are in progress: try again");
			}
		}
	}

	private synchronized boolean append(byte[] part, int length) {
		this.content.write(part, 0, length);
		requireLength(this.content.size());
		return !this.closed && take();
	}

	/**
	 * Returns whether a part can be added without a turn.
	 */
	synchronized boolean isSmall() {
		return this.content.size() <= SMALL_BYTES;
	}

	private McpRefusedException tooLarge() {
		return new McpRefusedException(413,
				"The message is larger than " + this.maximum.toBytes() + " bytes that the server accepts");
	}

	static McpRefusedException tooSlow() {
		return new McpRefusedException(408,
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
		if (needed > 0 && !this.chunks.take(this.tenant, needed)) {
			return false;
		}
		this.taken += needed;
		return true;
	}

	synchronized byte[] content() {
		return this.content.toByteArray();
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		this.chunks.give(this.tenant, this.taken);
		this.taken = 0;
	}

	/**
	 * The chunks that all large messages in progress can take: a sixteenth of the heap,
	 * or two messages of the maximum size. A tenant can take half of them. Safe for use
	 * by several threads.
	 */
	static final class Chunks {

		private final int maximum;

		private int taken;

		/** By tenant, without tenants that have none. */
		private final Map<String, Integer> held = new HashMap<>();

		/**
		 * Creates free chunks.
		 * @param message the maximum size of a message
		 * @param heap the size of the heap, in bytes
		 */
		Chunks(DataSize message, long heap) {
			this.maximum = 2 * ((int) (Math.max(message.toBytes(), heap / 32) / CHUNK_BYTES) + 1);
		}

		private synchronized boolean take(String tenant, int count) {
			int own = this.held.getOrDefault(tenant, 0) + count;
			if (own > this.maximum / 2 || this.taken + count > this.maximum) {
				return false;
			}
			this.taken += count;
			this.held.put(tenant, own);
			return true;
		}

		private synchronized void give(String tenant, int count) {
			this.taken -= count;
			this.held.computeIfPresent(tenant, (key, own) -> (own > count) ? own - count : null);
		}

	}

}
