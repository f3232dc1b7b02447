package io.kairo.tools.output;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/**
 * A kept output of a command, encoded as UTF-8. Immutable and safe for use by several
 * threads.
 */
public final class KeptOutput {

	private final Path file;

	private final long size;

	private final Instant kept;

	KeptOutput(Path file, long size, Instant kept) {
		this.file = file;
		this.size = size;
		this.kept = kept;
	}

	/**
	 * Returns the size of the output.
	 * @return the size in bytes
	 */
	public long size() {
		return this.size;
	}

	/**
	 * Reads a range of the output.
	 * @param offset the offset of the first byte, at least 0
	 * @param length the maximum number of bytes to read, at least 0
	 * @return the bytes; fewer than {@code length} only at the end of the output
	 * @throws IOException if the output was removed or cannot be read
	 */
	public byte[] read(long offset, int length) throws IOException {
		int wanted = (int) Math.min(length, Math.max(0, this.size - offset));
		ByteBuffer buffer = ByteBuffer.allocate(wanted);
		try (SeekableByteChannel channel = Files.newByteChannel(this.file)) {
			channel.position(offset);
			while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
				// a channel may return fewer bytes than requested
			}
		}
		return Arrays.copyOf(buffer.array(), buffer.position());
	}

	Path file() {
		return this.file;
	}

	Instant kept() {
		return this.kept;
	}

}
