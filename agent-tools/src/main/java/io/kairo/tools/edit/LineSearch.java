package io.kairo.tools.edit;

/**
 * Finds a sequence of lines among others that come by one after the other, by a
 * {@link BorderTable}. For use by one thread.
 */
final class LineSearch {

	private final BorderTable pattern;

	private int matched;

	/**
	 * Prepares a search.
	 * @param pattern what is searched, each line as a number that only equal lines have;
	 * an empty sequence is everywhere
	 */
	LineSearch(int[] pattern) {
		this.pattern = new BorderTable(pattern.length, (i) -> pattern[i]);
	}

	/**
	 * Takes the next line.
	 * @param line its number, as in the sequence
	 * @return whether the sequence ends here
	 */
	boolean endsWith(int line) {
		if (this.pattern.length() == 0) {
			return true;
		}
		this.matched = this.pattern.extend(this.matched, line);
		return this.matched == this.pattern.length();
	}

}
