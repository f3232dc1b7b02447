package io.kairo.workspace.search;

/**
 * The part of the results to return. Immutable.
 *
 * @param offset the number of results to skip, at least 0
 * @param limit the maximum number of results to return, at least 1
 */
public record SearchSlice(int offset, int limit) {

	/**
	 * Maximum sum of offset and limit: the results before a slice are held in memory.
	 */
	public static final int MAX_END = 100_000;

	/**
	 * Creates the value.
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
	 * Returns the number of results needed to fill the slice and to know whether there
	 * are more.
	 */
	int needed() {
		return this.offset + this.limit + 1;
	}

}
