package io.kairo.workspace.search;

/**
 * Which part of the results is wanted. Immutable.
 *
 * @param offset how many results to pass over, at least 0
 * @param limit how many results to return at most, at least 1
 * @since 0.1.0
 */
public record SearchSlice(int offset, int limit) {

	/**
	 * The largest sum of offset and limit: what precedes a slice is held in memory.
	 */
	public static final int MAX_END = 100_000;

	/**
	 * Creates the value.
	 * @param offset how many results to pass over
	 * @param limit how many results to return at most
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	public SearchSlice {
		if (offset < 0) {
			throw new IllegalArgumentException("offset is " + offset + ": it must be at least 0");
		}
		if (limit < 1) {
			throw new IllegalArgumentException("limit is " + limit + ": it must be at least 1");
		}
		if ((long) offset + limit > MAX_END) {
			throw new IllegalArgumentException("offset " + offset + " and limit " + limit + " together exceed "
					+ MAX_END + ": search for less instead of paging so far");
		}
	}

	/**
	 * Returns how many results have to be known to fill the slice, and to know whether
	 * there are more.
	 */
	int needed() {
		return this.offset + this.limit + 1;
	}

}
