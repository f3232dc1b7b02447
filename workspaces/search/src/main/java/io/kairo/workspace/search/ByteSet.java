package io.kairo.workspace.search;

import java.util.function.IntPredicate;

/**
 * A set of ASCII characters, and whether it may have other characters, whose bytes are
 * negative both in UTF-8 and in windows-1252. Immutable.
 *
 * @param low the characters below 64, as bits
 * @param high the characters from 64 to 127, as bits
 * @param others whether other characters may be in the set
 */
record ByteSet(long low, long high, boolean others) {

	/**
	 * Returns the set of the ASCII characters that satisfy a condition.
	 */
	static ByteSet of(IntPredicate ascii, boolean others) {
		long low = 0;
		long high = 0;
		for (int c = 0; c < Long.SIZE; c++) {
			low |= ascii.test(c) ? 1L << c : 0;
			high |= ascii.test(c + Long.SIZE) ? 1L << c : 0;
		}
		return new ByteSet(low, high, others);
	}

	boolean has(byte value) {
		if (value < 0) {
			return this.others;
		}
		return (((value < Long.SIZE) ? this.low : this.high) >>> value & 1) != 0;
	}

	int size() {
		return Long.bitCount(this.low) + Long.bitCount(this.high) + (this.others ? 1 : 0);
	}

}
