package io.kairo.tools.edit;

import java.util.List;

/**
 * A replacement for a range of bytes. Immutable; the bytes are not copied.
 *
 * @param from the offset of the first replaced byte
 * @param to the offset after the last replaced byte
 * @param replacement the new bytes
 */
record ByteSplice(int from, int to, byte[] replacement) {

	/**
	 * Returns the number of bytes that the splice adds, negative if it removes bytes.
	 */
	int growth() {
		return this.replacement.length - (this.to - this.from);
	}

	/**
	 * Applies splices.
	 * @param bytes the bytes; not changed
	 * @param splices the splices in ascending order, without overlaps
	 * @return the new bytes
	 * @throws IllegalArgumentException if the result is longer than an array can be
	 */
	static byte[] apply(byte[] bytes, List<ByteSplice> splices) {
		long length = bytes.length;
		for (ByteSplice splice : splices) {
			length += splice.growth();
		}
		if (length > Integer.MAX_VALUE - 8) {
			throw new IllegalArgumentException("The result would have " + length + " bytes");
		}
		byte[] result = new byte[(int) length];
		int read = 0;
		int written = 0;
		for (ByteSplice splice : splices) {
			int kept = splice.from() - read;
			System.arraycopy(bytes, read, result, written, kept);
			written += kept;
			System.arraycopy(splice.replacement(), 0, result, written, splice.replacement().length);
			written += splice.replacement().length;
			read = splice.to();
		}
		System.arraycopy(bytes, read, result, written, bytes.length - read);
		return result;
	}

}
