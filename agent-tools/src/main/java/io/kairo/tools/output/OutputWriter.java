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

	private long size;

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
		if (this.file == null || this.dropped > 0 || !this.outputs.reserve(bytes.length)) {
			this.dropped += bytes.length;
			return;
		}
		this.size += bytes.length;
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
		try {
			if (this.stream != null) {
				this.stream.close();
			}
		}
		catch (IOException ex) {
			this.dropped++;
		}
		return (this.file != null) ? this.outputs.keep(this.file, this.size) : null;
	}

	/**
	 * Returns how many bytes were dropped.
	 * @return the number, 0 if all of them are kept
	 */
	public long dropped() {
		return this.dropped;
	}

}
