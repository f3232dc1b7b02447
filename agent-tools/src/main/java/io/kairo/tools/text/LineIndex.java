package io.kairo.tools.text;

import java.util.Arrays;

import io.kairo.workspace.search.ByteCount;

/**
 * The starts of the lines of a text. Only one line start in at least 512 bytes is stored,
 * so the index takes at most a 64th of the size of the text, however short its lines are.
 * The bytes are not copied and must not change. For use by one thread.
 */
final class LineIndex {

	private static final int STEP = 512;

	private final byte[] bytes;

	private final int unit;

	private final boolean littleEndian;

	/** The numbers of the stored lines. The first is 0. */
	private int[] lines = new int[16];

	/** The start offsets of the stored lines. */
	private int[] offsets = new int[16];

	private int count;

	/** The line found last, a faster start for the next search. */
	private int lastLine;

	private int lastStart;

	/**
	 * Creates an index.
	 * @param bytes the text
	 * @param from the start offset of the first line
	 * @param unit the length of a line feed in bytes
	 * @param littleEndian whether the first byte of a line feed is its byte other than 0
	 */
	LineIndex(byte[] bytes, int from, int unit, boolean littleEndian) {
		this.bytes = bytes;
		this.unit = unit;
		this.littleEndian = littleEndian;
		this.offsets[0] = from;
		this.lastStart = from;
		int stored = 1;
		for (int next = passOver(from); next >= 0; next = passOver(next)) {
			if (stored == this.lines.length) {
				this.lines = Arrays.copyOf(this.lines, 2 * stored);
				this.offsets = Arrays.copyOf(this.offsets, 2 * stored);
			}
			this.lines[stored] = this.count;
			this.offsets[stored++] = next;
		}
		this.count++;
		this.lines = Arrays.copyOf(this.lines, stored);
		this.offsets = Arrays.copyOf(this.offsets, stored);
	}

	/**
	 * Counts the lines up to the next one to store.
	 * @param from the start of the last line that was stored
	 * @return the start of the next one, -1 if there is none
	 */
	private int passOver(int from) {
		int next = from;
		if (this.unit == 1) {
			// a line feed before this index ends a line that is too near
			int near = (this.bytes.length - from > STEP) ? from + STEP - 1 : this.bytes.length;
			this.count += ByteCount.of((byte) '\n', this.bytes, from, near);
			next = nextStart(near);
			this.count += (next >= 0) ? 1 : 0;
			return next;
		}
		do {
			next = nextStart(next);
			this.count += (next >= 0) ? 1 : 0;
		}
		while (next >= 0 && next - from < STEP);
		return next;
	}

	/**
	 * Returns the number of lines, at least 1.
	 */
	int count() {
		return this.count;
	}

	/**
	 * Returns the start offset of a line.
	 * @throws IndexOutOfBoundsException if there is no such line
	 */
	int start(int line) {
		if (line < 0 || line >= this.count) {
			throw new IndexOutOfBoundsException("There is no line " + line + " in " + this.count);
		}
		if (line != this.lastLine && line != this.lastLine + 1) {
			int found = Arrays.binarySearch(this.lines, line);
			int stored = (found >= 0) ? found : -found - 2;
			this.lastLine = this.lines[stored];
			this.lastStart = this.offsets[stored];
		}
		for (; this.lastLine < line; this.lastLine++) {
			this.lastStart = nextStart(this.lastStart);
		}
		return this.lastStart;
	}

	/**
	 * Returns the number of the line that the byte at an offset belongs to, -1 if the
	 * byte precedes the first line.
	 */
	int lineAt(int offset) {
		int found = Arrays.binarySearch(this.offsets, offset);
		int stored = (found >= 0) ? found : -found - 2;
		if (stored < 0) {
			return -1;
		}
		int line = this.lines[stored];
		int start = this.offsets[stored];
		// beyond the lines up to the next stored one, a line may be as long as the text
		int last = ((stored + 1 < this.lines.length) ? this.lines[stored + 1] : this.count) - 1;
		for (; line < last; line++) {
			start = nextStart(start);
			if (start > offset) {
				break;
			}
		}
		return line;
	}

	/**
	 * Returns whether a character starts at an offset.
	 * @param offset the offset of a whole unit
	 * @param character an ASCII character
	 */
	boolean isAt(int offset, int character) {
		int significant = this.littleEndian ? offset : offset + this.unit - 1;
		for (int i = offset; i < offset + this.unit; i++) {
			if (this.bytes[i] != ((i == significant) ? character : 0)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns the offset after the next line feed, -1 if there is none.
	 */
	private int nextStart(int from) {
		if (this.unit == 1) {
			int feed = ByteCount.first((byte) '\n', this.bytes, from, this.bytes.length);
			return (feed < 0) ? -1 : feed + 1;
		}
		for (int i = from; i + this.unit <= this.bytes.length; i += this.unit) {
			if (isAt(i, '\n')) {
				return i + this.unit;
			}
		}
		return -1;
	}

}
