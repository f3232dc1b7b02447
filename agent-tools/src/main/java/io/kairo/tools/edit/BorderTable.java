package io.kairo.tools.edit;

import java.util.function.IntUnaryOperator;

/**
 * Finds a sequence among symbols that come by one after the other, in time that grows
 * with both lengths and not with their product. Overlapping places are found. Immutable.
 *
 * @see <a href="https://doi.org/10.1137/0206024">Knuth, Morris, Pratt: Fast Pattern
 * Matching in Strings</a>
 */
final class BorderTable {

	private final int[] pattern;

	/** How long the longest border of each beginning of the sequence is. */
	private final int[] borders;

	/**
	 * Prepares a search.
	 * @param length how long the sequence is; {@link #extend} needs at least one symbol
	 * @param symbols returns the symbol at a place of it
	 */
	BorderTable(int length, IntUnaryOperator symbols) {
		this.pattern = new int[length];
		this.borders = new int[length];
		for (int i = 0; i < length; i++) {
			this.pattern[i] = symbols.applyAsInt(i);
			this.borders[i] = (i > 0) ? extend(this.borders[i - 1], this.pattern[i]) : 0;
		}
	}

	int length() {
		return this.pattern.length;
	}

	/**
	 * Takes the next symbol.
	 * @param matched how many symbols of the sequence the last ones were, 0 at first
	 * @param symbol the next one
	 * @return how many they are now; the length where the sequence ends here
	 */
	int extend(int matched, int symbol) {
		int extended = (matched == this.pattern.length) ? this.borders[matched - 1] : matched;
		while (extended > 0 && symbol != this.pattern[extended]) {
			extended = this.borders[extended - 1];
		}
		return (symbol == this.pattern[extended]) ? extended + 1 : extended;
	}

}
