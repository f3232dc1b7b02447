package io.kairo.tools;

/**
 * Finds a text in others, one after the other, in time that grows with their lengths and
 * not with the product. Overlapping places are found. For use by one thread.
 *
 * @see <a href="https://doi.org/10.1137/0206024">Knuth, Morris, Pratt: Fast Pattern
 * Matching in Strings</a>
 */
final class CharacterSearch {

	private final String pattern;

	private final int[] borders;

	private String text = "";

	private int position;

	private int matched;

	/**
	 * Prepares a search.
	 * @param pattern what is searched, at least one character
	 */
	CharacterSearch(String pattern) {
		this.pattern = pattern;
		this.borders = new int[pattern.length()];
		int border = 0;
		for (int i = 1; i < pattern.length(); i++) {
			border = extend(border, pattern.charAt(i));
			this.borders[i] = border;
		}
	}

	/**
	 * Starts at the beginning of a text.
	 */
	void start(String text) {
		this.text = text;
		this.position = 0;
		this.matched = 0;
	}

	/**
	 * Returns the next place.
	 * @return how many characters come before it, -1 if there is none
	 */
	int next() {
		while (this.position < this.text.length()) {
			if (this.matched == this.pattern.length()) {
				this.matched = this.borders[this.matched - 1];
			}
			this.matched = extend(this.matched, this.text.charAt(this.position++));
			if (this.matched == this.pattern.length()) {
				return this.position - this.matched;
			}
		}
		return -1;
	}

	private int extend(int border, char c) {
		int extended = border;
		while (extended > 0 && c != this.pattern.charAt(extended)) {
			extended = this.borders[extended - 1];
		}
		return (c == this.pattern.charAt(extended)) ? extended + 1 : extended;
	}

}
