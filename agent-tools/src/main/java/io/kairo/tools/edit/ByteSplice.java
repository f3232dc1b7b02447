package io.kairo.tools.edit;

import java.util.List;

/**
 * Replaces a range of bytes and leaves all others as they are. Immutable; the bytes are
 * not copied.
 *
 * @param from the first byte that is replaced
 * @param to the byte after the last one
 * @param replacement what comes in their place
 */
record ByteSplice(int from, int to, byte[] replacement) {

	/**
	 * Performs splices.
	 * @param bytes what they are performed on; not changed
	 * @param splices in ascending order, none overlapping another one
	 * @return the new bytes
	 * @throws IllegalArgumentException if the result is longer than an array can be
	 */
	static byte[] apply(byte[] bytes, List<ByteSplice> splices) {
		long length = bytes.length;
		for (ByteSplice splice : splices) {
			length += splice.replacement().length - (splice.to() - splice.from());
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
