package io.kairo.sandbox.docker;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The stream of an archive that tells whether the archive was complete. An engine that
 * fails in the middle ends the stream as if it were, but without the two empty records
 * that are the end of an archive. For use by one thread.
 */
final class ArchiveEnd extends FilterInputStream {

	private static final int END = 1024;

	private long zeros;

	ArchiveEnd(InputStream archive) {
		super(archive);
	}

	@Override
	public int read() throws IOException {
		byte[] one = new byte[1];
		return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
	}

	@Override
	public int read(byte[] buffer, int offset, int length) throws IOException {
		int count = super.read(buffer, offset, length);
		for (int i = count - 1; i >= 0; i--) {
			if (buffer[offset + i] != 0) {
				this.zeros = count - 1L - i;
				return count;
			}
		}
		this.zeros += Math.max(0, count);
		return count;
	}

	@Override
	public long skip(long count) throws IOException {
		return readNBytes((int) Math.min(count, END)).length;
	}

	@Override
	public boolean markSupported() {
		return false;
	}

	/**
	 * Reads the rest.
	 * @throws IOException if the archive was not complete
	 */
	void require() throws IOException {
		transferTo(OutputStream.nullOutputStream());
		if (this.zeros < END) {
			throw new IOException("the archive is not complete");
		}
	}

}
