package io.kairo.workspace.search;

import java.nio.charset.StandardCharsets;

/**
 * Finds bytes in the parts of files, by strings of their bytes: the JVM looks for a
 * character of a string many at a time. For use by one thread.
 */
final class ByteFinder {

	/** Size of the strings. */
	private static final int SLICE = 1 << 16;

	private byte[] bytes = new byte[0];

	private int end;

	private String slice = "";

	private int sliceStart;

	/**
	 * Begins with another part, whose bytes do not change until the next one.
	 */
	void begin(byte[] bytes, int to) {
		this.bytes = bytes;
		this.end = to;
		this.slice = "";
	}

	/**
	 * Returns the first index of a byte.
	 * @param from the start of the range to search; it ends with the part
	 * @return the index, -1 if there is none
	 */
	int indexOf(byte value, int from) {
		int position = from;
		while (position < this.end) {
			if (position < this.sliceStart || position >= this.sliceStart + this.slice.length()) {
				this.sliceStart = position;
				this.slice = new String(this.bytes, position, Math.min(SLICE, this.end - position),
						StandardCharsets.ISO_8859_1);
			}
			int found = this.slice.indexOf(value & 0xFF, position - this.sliceStart);
			if (found >= 0) {
				return this.sliceStart + found;
			}
			position = this.sliceStart + this.slice.length();
		}
		return -1;
	}

	/**
	 * Forgets the bytes of the last part.
	 */
	void end() {
		begin(new byte[0], 0);
	}

}
