package io.kairo.tools.edit;

import java.util.function.IntUnaryOperator;

/**
 * A search for a sequence of symbols, such as bytes, characters or lines, in a stream of
 * them. Its time grows with the sum of both lengths, and overlapping occurrences are
 * found. For use by one thread.
 *
 * @see <a href="https://doi.org/10.1137/0206024">Knuth, Morris, Pratt: Fast Pattern
 * Matching in Strings</a>
 */
final class KmpSearch {

	private final int length;

	private final IntUnaryOperator pattern;

	/** Length of the longest border of each prefix of the pattern. */
	private final int[] borders;

	private int matched;

	/**
	 * Prepares a search.
	 * @param length the length of the pattern; an empty one occurs everywhere
	 * @param symbols returns the symbol at an index of the pattern
	 */
	KmpSearch(int length, IntUnaryOperator symbols) {
		this.length = length;
		this.pattern = symbols;
		this.borders = new int[length];
		for (int i = 1; i < length; i++) {
			this.borders[i] = extend(this.borders[i - 1], symbols.applyAsInt(i));
		}
	}

	/**
	 * Consumes the next symbol of the stream.
	 * @param symbol the symbol
	 * @return whether an occurrence of the pattern ends with it
	 */
	boolean endsWith(int symbol) {
		if (this.length == 0) {
			return true;
		}
		this.matched = extend(this.matched, symbol);
		return this.matched == this.length;
	}

	/**
	 * Returns whether no occurrence has begun, so that symbols other than the first one
	 * of the pattern may be skipped.
	 */
	boolean isIdle() {
		return this.matched == 0 && this.length > 0;
	}

	/**
	 * Discards the symbols consumed so far, so that no occurrence begins with them.
	 */
	void reset() {
		this.matched = 0;
	}

	private int extend(int matched, int symbol) {
		int extended = (matched == this.length) ? this.borders[matched - 1] : matched;
		while (extended > 0 && symbol != this.pattern.applyAsInt(extended)) {
			extended = this.borders[extended - 1];
		}
		return (symbol == this.pattern.applyAsInt(extended)) ? extended + 1 : extended;
	}

}
