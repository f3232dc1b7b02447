package io.kairo.tools;

/**
 * Finds a sequence of bytes in time that grows with both lengths and not with their
 * product.
 *
 * @see <a href="https://doi.org/10.1137/0206024">Knuth, Morris, Pratt: Fast Pattern
 * Matching in Strings</a>
 */
final class ByteSearch {

	private final byte[] pattern;

	private final int[] borders;

	/**
	 * Prepares a search.
	 * @param pattern what is searched, at least one byte
	 */
	ByteSearch(byte[] pattern) {
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
	 * Returns the next place.
	 * @param bytes where to search
	 * @param from where to start
	 * @return an offset, -1 if there is none
	 */
	int next(byte[] bytes, int from) {
		byte first = this.pattern[0];
		int matched = 0;
		for (int i = from; i < bytes.length; i++) {
			byte b = bytes[i];
			while (matched > 0 && b != this.pattern[matched]) {
				matched = this.borders[matched - 1];
			}
			if (b == first || matched > 0) {
				matched++;
			}
			if (matched == this.pattern.length) {
				return i - matched + 1;
			}
		}
		return -1;
	}

}
