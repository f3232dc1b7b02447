package io.kairo.tools.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Takes an output. What there is no room for is dropped and counted; nothing fails. For
 * use by one thread.
 *
 * @since 0.1.0
 */
public final class OutputWriter {

	private final SessionOutputs outputs;

	private final @Nullable Path file;

	private @Nullable OutputStream stream;

	private long written;

	private long dropped;

	OutputWriter(SessionOutputs outputs, @Nullable Path file) {
		this.outputs = outputs;
		this.file = file;
	}

	/**
	 * Takes the next part.
	 * @param bytes the part
	 */
	public void write(byte[] bytes) {
		if (this.file == null || this.dropped > 0 || !this.outputs.reserve(this.file, bytes.length)) {
			this.dropped += bytes.length;
			return;
		}
		try {
			if (this.stream == null) {
				this.stream = Files.newOutputStream(this.file);
			}
			this.stream.write(bytes);
			this.written += bytes.length;
		}
		catch (IOException ex) {
			this.outputs.giveBack(this.file, bytes.length); // a part of it may be in the
															// file, behind its end
			this.dropped += bytes.length;
		}
	}

	/**
	 * Ends the output. One of which nothing could be taken is not kept.
	 * @return the id by which it is found, null if it is not kept
	 */
	public @Nullable String finish() {
		if (this.written == 0 && this.dropped > 0) {
			discard();
			return null;
		}
		close();
		return (this.file != null) ? this.outputs.keep(this.file) : null;
	}

	/**
	 * Ends the output without keeping it.
	 */
	public void discard() {
		close();
		if (this.file != null) {
			this.outputs.discard(this.file);
		}
	}

	private void close() {
		try {
			if (this.stream != null) {
				this.stream.close();
			}
		}
		catch (IOException ex) {
			this.dropped++;
		}
	}

	/**
	 * Returns how many bytes were dropped.
	 * @return the number, 0 if all of them are kept
	 */
	public long dropped() {
		return this.dropped;
	}

}
