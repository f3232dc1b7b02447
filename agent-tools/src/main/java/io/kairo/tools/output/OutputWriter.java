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
		}
		catch (IOException ex) {
			this.dropped += bytes.length;
		}
	}

	/**
	 * Ends the output.
	 * @return the id by which it is found, null if it is not kept
	 */
	public @Nullable String finish() {
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
