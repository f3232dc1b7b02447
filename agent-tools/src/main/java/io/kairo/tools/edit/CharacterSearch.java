package io.kairo.tools.edit;

/**
 * Finds a text in others, one after the other, by a {@link BorderTable}. For use by one
 * thread.
 */
final class CharacterSearch {

	private final BorderTable pattern;

	private String text = "";

	private int position;

	private int matched;

	/**
	 * Prepares a search.
	 * @param pattern what is searched, at least one character
	 */
	CharacterSearch(String pattern) {
		this.pattern = new BorderTable(pattern.length(), pattern::charAt);
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
			this.matched = this.pattern.extend(this.matched, this.text.charAt(this.position++));
			if (this.matched == this.pattern.length()) {
				return this.position - this.matched;
			}
		}
		return -1;
	}

}
