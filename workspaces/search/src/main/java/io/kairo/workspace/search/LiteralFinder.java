package io.kairo.workspace.search;

import java.util.Arrays;

/**
 * Finds the texts of a {@link LiteralSet} in the parts of files, each from its start to
 * its end. A text with a rare byte is looked for by that byte alone. For use by one
 * thread.
 */
final class LiteralFinder {

	/** Number of bytes that pay for a look at a byte that is not part of its text. */
	private static final int BYTES_A_MISS = 64;

	private static final int FIRST_MISSES = 16;

	private final LiteralSet literals;

	private final ByteFinder finder;

	/** The next possible place of each text; the end if there is none. */
	private final int[] next;

	/** For each text the number of times that its rare byte was elsewhere. */
	private final int[] misses;

	private byte[] bytes = new byte[0];

	private int start;

	private int end;

	/**
	 * Creates a finder.
	 * @param finder finds the rare bytes in the same parts; its parts may end later
	 */
	LiteralFinder(LiteralSet literals, ByteFinder finder) {
		this.literals = literals;
		this.finder = finder;
		this.next = new int[literals.size()];
		this.misses = new int[literals.size()];
	}

	/**
	 * Begins with another part, whose bytes do not change until the next one.
	 */
	void begin(byte[] bytes, int from, int to) {
		this.bytes = bytes;
		this.start = from;
		this.end = to;
		Arrays.fill(this.next, -1);
		Arrays.fill(this.misses, 0);
	}

	/**
	 * Finds the next possible text.
	 * @param from the start of the rest of the part, not before the start of the last
	 * call
	 * @return the index of a byte of it, -1 if there is none
	 */
	int find(int from) {
		int first = this.end;
		for (int text = 0; text < this.next.length; text++) {
			if (this.next[text] < from) {
				int found = find(text, from);
				this.next[text] = (found < 0) ? this.end : found;
			}
			first = Math.min(first, this.next[text]);
		}
		return (first < this.end) ? first : -1;
	}

	private int find(int text, int from) {
		int offset = this.literals.rareByte(text);
		if (offset < 0) {
			return this.literals.find(text, this.bytes, from, this.end);
		}
		byte rare = this.literals.byteAt(text, offset);
		int index = this.finder.indexOf(rare, from + offset);
		while (index >= 0 && index < this.end) {
			if (this.literals.isAt(text, this.bytes, index - offset, this.end)) {
				return index - offset;
			}
			if (++this.misses[text] > FIRST_MISSES + (index - this.start) / BYTES_A_MISS) {
				return this.literals.find(text, this.bytes, index - offset + 1, this.end);
			}
			index = this.finder.indexOf(rare, index + 1);
		}
		return -1;
	}

	/**
	 * Forgets the bytes of the last part.
	 */
	void end() {
		begin(new byte[0], 0, 0);
	}

}
