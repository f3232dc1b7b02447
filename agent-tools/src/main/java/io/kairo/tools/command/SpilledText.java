package io.kairo.tools.command;

import java.nio.charset.StandardCharsets;

import io.kairo.tools.output.OutputWriter;
import io.kairo.tools.output.SessionOutputs;
import org.jspecify.annotations.Nullable;

/**
 * A text of any length that is kept for the session once it is longer than a result may
 * be. For use by one thread.
 */
final class SpilledText implements AutoCloseable {

	private static final int CHUNK = 64 * 1024;

	private final @Nullable SessionOutputs outputs;

	private final StringBuilder pending = new StringBuilder();

	private final int limit;

	private long characters;

	private @Nullable OutputWriter writer;

	private boolean ended;

	/**
	 * Creates a text.
	 * @param outputs the storage for the text, null to keep nothing
	 * @param limit the maximum length of a text that is not kept
	 */
	SpilledText(@Nullable SessionOutputs outputs, int limit) {
		this.outputs = outputs;
		this.limit = limit;
	}

	void append(int codePoint) {
		if (this.outputs == null) {
			return;
		}
		this.pending.appendCodePoint(codePoint);
		if (++this.characters > this.limit && this.pending.length() >= CHUNK) {
			flush(this.outputs);
		}
	}

	/**
	 * Ends the text.
	 * @return the id of the text, null if it is short or could not be kept
	 */
	@Nullable String end() {
		if (this.outputs == null || this.characters <= this.limit) {
			return null;
		}
		String id = flush(this.outputs).finish();
		this.ended = true;
		return id;
	}

	/**
	 * Discards a text that has not ended.
	 */
	@Override
	public void close() {
		if (this.writer != null && !this.ended) {
			this.writer.discard();
		}
	}

	/**
	 * Returns the number of bytes that could not be kept.
	 */
	long dropped() {
		return (this.writer != null) ? this.writer.dropped() : 0;
	}

	private OutputWriter flush(SessionOutputs outputs) {
		OutputWriter writer = this.writer;
		if (writer == null) {
			writer = outputs.create();
			this.writer = writer;
		}
		writer.write(this.pending.toString().getBytes(StandardCharsets.UTF_8));
		this.pending.setLength(0);
		return writer;
	}

}
