package io.kairo.workspace.search;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A search for texts; a line must contain at least one of them. Three bytes of each text,
 * the rarest ones, are compared at eight positions at a time, so that text may be found
 * where there is none. Immutable.
 */
final class LiteralSet {

	/** Maximum number of texts. */
	static final int MAX_SIZE = 8;

	private static final int WINDOW = 3;

	/** Number of bytes that are searched for one text after another. */
	private static final int BLOCK = 512;

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final long ONES = 0x0101_0101_0101_0101L;

	private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

	/** Frequent characters of source code, the most frequent ones first. */
	private static final String FREQUENT = " etairnosl*cudmpgh./bfy();,v_=wxk\"";

	/** The bits to set, and the bytes to expect then, of each byte of a window. */
	private final long[] masks;

	private final long[] values;

	private final List<String> texts;

	/** For each text the offset of its rare byte, -1 if it has none. */
	private final int[] rareBytes;

	/**
	 * Creates a search.
	 * @param texts characters as of {@link #character}; none is empty
	 */
	LiteralSet(List<String> texts) {
		this.masks = new long[texts.size() * WINDOW];
		this.values = new long[texts.size() * WINDOW];
		this.texts = List.copyOf(texts);
		this.rareBytes = texts.stream().mapToInt(LiteralSet::rareByte).toArray();
		for (int i = 0; i < texts.size(); i++) {
			String text = texts.get(i);
			int start = rarest(text);
			for (int j = 0; j < WINDOW; j++) {
				int c = (start + j < text.length()) ? text.charAt(start + j) : 0xFFFF;
				this.masks[i * WINDOW + j] = (c >> 8) * ONES;
				this.values[i * WINDOW + j] = (c & 0xFF) * ONES;
			}
		}
	}

	private static int rareByte(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) >> 8 == 0 && FREQUENT.indexOf(text.charAt(i)) < 0) {
				return i;
			}
		}
		return -1;
	}

	/**
	 * Returns the number of texts.
	 */
	int size() {
		return this.texts.size();
	}

	/**
	 * Returns the offset of a byte of a text that is rare in source code.
	 * @return -1 if the text has none
	 */
	int rareByte(int text) {
		return this.rareBytes[text];
	}

	/**
	 * Returns a byte of a text that has only one value.
	 */
	byte byteAt(int text, int offset) {
		return (byte) this.texts.get(text).charAt(offset);
	}

	/**
	 * Returns whether a text is at an index.
	 */
	boolean isAt(int text, byte[] bytes, int index, int to) {
		String expected = this.texts.get(text);
		if (index + expected.length() > to) {
			return false;
		}
		for (int i = 0; i < expected.length(); i++) {
			char c = expected.charAt(i);
			if ((byte) (bytes[index + i] | (c >> 8)) != (byte) c) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Finds one of the texts.
	 * @return as of {@link #find(byte[], int, int)}
	 */
	int find(int text, byte[] bytes, int from, int to) {
		return find(bytes, from, to, to, text * WINDOW);
	}

	/**
	 * Returns an ASCII character of a text: the bits that are set before a byte is
	 * compared, and the expected result.
	 */
	static char character(int mask, int value) {
		return (char) (mask << 8 | value);
	}

	/**
	 * Returns the estimated share of the positions of source code where one of several
	 * texts is found.
	 */
	static double share(List<String> texts) {
		return texts.stream().mapToDouble((text) -> text.isEmpty() ? 1 : share(text, rarest(text))).sum();
	}

	private static int rarest(String text) {
		int rarest = 0;
		for (int start = 1; start + WINDOW <= text.length(); start++) {
			rarest = (share(text, start) < share(text, rarest)) ? start : rarest;
		}
		return rarest;
	}

	private static double share(String text, int start) {
		double share = 1;
		for (int i = start; i < Math.min(text.length(), start + WINDOW); i++) {
			int rank = FREQUENT.indexOf(text.charAt(i) & 0xFF);
			share *= (rank < 0) ? 0.005 : 0.15 / (1 + rank / 2);
		}
		return share;
	}

	/**
	 * Finds one of the texts.
	 * @param bytes the bytes
	 * @param from the start of the range to search
	 * @param to the end of the range to search
	 * @return the index of a byte of it, -1 if there is none
	 */
	int find(byte[] bytes, int from, int to) {
		for (int block = from; block < to; block += BLOCK) {
			int end = Math.min(to, block + BLOCK);
			int found = -1;
			for (int window = 0; window < this.masks.length; window += WINDOW) {
				int first = find(bytes, block, (found < 0) ? end : found, to, window);
				found = (first < 0) ? found : first;
			}
			if (found >= 0) {
				return found;
			}
		}
		return -1;
	}

	private int find(byte[] bytes, int from, int end, int to, int window) {
		long mask1 = this.masks[window];
		long mask2 = this.masks[window + 1];
		long mask3 = this.masks[window + 2];
		long value1 = this.values[window];
		long value2 = this.values[window + 1];
		long value3 = this.values[window + 2];
		int fast = Math.min(end, bytes.length - WINDOW + 1) - Long.BYTES;
		int i = from;
		for (; i <= fast; i += Long.BYTES) {
			long different = (((long) LONG.get(bytes, i) | mask1) ^ value1)
					| (((long) LONG.get(bytes, i + 1) | mask2) ^ value2)
					| (((long) LONG.get(bytes, i + 2) | mask3) ^ value3);
			// the lowest bit belongs to the first byte that is zero
			long equal = (different - ONES) & ~different & HIGH_BITS;
			if (equal != 0) {
				return i + (Long.numberOfTrailingZeros(equal) >> 3);
			}
		}
		for (; i < end; i++) {
			if (isAt(bytes, i, to, window)) {
				return i;
			}
		}
		return -1;
	}

	private boolean isAt(byte[] bytes, int index, int to, int window) {
		for (int i = 0; i < WINDOW; i++) {
			byte mask = (byte) this.masks[window + i];
			byte found = (index + i < to) ? (byte) (bytes[index + i] | mask) : mask;
			if (found != (byte) this.values[window + i]) {
				return false;
			}
		}
		return true;
	}

}
