package io.kairo.tools;

/**
 * Finds a sequence of lines among others that come by one after the other, in time that
 * grows with both lengths and not with their product. Overlapping places are found. For
 * use by one thread.
 *
 * @see <a href="https://doi.org/10.1137/0206024">Knuth, Morris, Pratt: Fast Pattern
 * Matching in Strings</a>
 */
final class LineSearch {

	private final int[] pattern;

	private final int[] borders;

	private int matched;

	/**
	 * Prepares a search.
	 * @param pattern what is searched, each line as a number that only equal lines have;
	 * an empty sequence is everywhere
	 */
	LineSearch(int[] pattern) {
		this.pattern = pattern;
		this.borders = new int[pattern.length];
		int border = 0;
		for (int i = 1; i < pattern.length; i++) {
			while (border > 0 && pattern[i] != pattern[border]) {
				border = this.borders[border - 1];
			}
			if (pattern[i] == pattern[border]) {
				border++;
			}
			this.borders[i] = border;
		}
	}

	/**
	 * Takes the next line.
	 * @param line its number, as in the sequence
	 * @return whether the sequence ends here
	 */
	boolean endsWith(int line) {
		if (this.pattern.length == 0) {
			return true;
		}
		if (this.matched == this.pattern.length) {
			this.matched = this.borders[this.matched - 1];
		}
		while (this.matched > 0 && line != this.pattern[this.matched]) {
			this.matched = this.borders[this.matched - 1];
		}
		if (line == this.pattern[this.matched]) {
			this.matched++;
		}
		return this.matched == this.pattern.length;
	}

}
