package io.kairo.workspace.search;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Counts and finds the occurrences of a byte, eight bytes at a time. Safe for use by
 * several threads.
 */
public final class ByteCount {

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long ONES = 0x0101_0101_0101_0101L;

	private static final long LOW_BITS = 0x7F7F_7F7F_7F7F_7F7FL;

	private ByteCount() {
	}

	/**
	 * Returns the number of bytes in a range that have a value.
	 * @param value the value
	 * @param bytes the bytes
	 * @param from the beginning of the range
	 * @param to the end of the range, exclusive
	 * @return the number of those bytes
	 */
	public static int of(byte value, byte[] bytes, int from, int to) {
		long pattern = (value & 0xFF) * ONES;
		int count = 0;
		int i = from;
		for (; i <= to - Long.BYTES; i += Long.BYTES) {
			long difference = (long) LONG.get(bytes, i) ^ pattern;
			// the high bit of each byte that is zero
			long equal = ~(((difference & LOW_BITS) + LOW_BITS) | difference | LOW_BITS);
			count += Long.bitCount(equal);
		}
		for (; i < to; i++) {
			count += (bytes[i] == value) ? 1 : 0;
		}
		return count;
	}

	/**
	 * Returns the index of the first byte in a range that has a value.
	 * @param value the value
	 * @param bytes the bytes
	 * @param from the beginning of the range
	 * @param to the end of the range, exclusive
	 * @return the index, -1 if there is no such byte
	 */
	public static int first(byte value, byte[] bytes, int from, int to) {
		long pattern = (value & 0xFF) * ONES;
		int i = from;
		for (; i <= to - Long.BYTES; i += Long.BYTES) {
			long difference = (long) LONG.get(bytes, i) ^ pattern;
			// the lowest bit belongs to the first byte that is zero
			long equal = (difference - ONES) & ~difference & ~LOW_BITS;
			if (equal != 0) {
				return i + (Long.numberOfTrailingZeros(equal) >> 3);
			}
		}
		for (; i < to; i++) {
			if (bytes[i] == value) {
				return i;
			}
		}
		return -1;
	}

}
