package io.kairo.tools.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * A writer of one output. Bytes beyond the limits, or that cannot be written, are dropped
 * and counted; no method throws an exception for them. Not safe for use by several
 * threads.
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
	 * Writes the next part of the output.
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
			// the file may contain some of the bytes, beyond the recorded size
			this.outputs.giveBack(this.file, bytes.length);
			this.dropped += bytes.length;
		}
	}

	/**
	 * Ends the output and keeps it, unless all of its bytes were dropped.
	 * @return the id of the output, null if it is not kept
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
	 * Returns the number of dropped bytes.
	 * @return the number, 0 if the whole output is kept
	 */
	public long dropped() {
		return this.dropped;
	}

}
