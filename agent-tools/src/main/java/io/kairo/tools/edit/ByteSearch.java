package io.kairo.tools.edit;

/**
 * Finds a sequence of bytes by a {@link BorderTable}. Immutable.
 */
final class ByteSearch {

	private final BorderTable pattern;

	/**
	 * Prepares a search.
	 * @param pattern what is searched, at least one byte
	 */
	ByteSearch(byte[] pattern) {
		this.pattern = new BorderTable(pattern.length, (i) -> pattern[i]);
	}

	/**
	 * Returns the next place.
	 * @param bytes where to search
	 * @param from where to start
	 * @return an offset, -1 if there is none
	 */
	int next(byte[] bytes, int from) {
		int matched = 0;
		for (int i = from; i < bytes.length; i++) {
			matched = this.pattern.extend(matched, bytes[i]);
			if (matched == this.pattern.length()) {
				return i - matched + 1;
			}
		}
		return -1;
	}

}
