package io.kairo.workspace.search;

/**
 * Why a search ended.
 *
 * @since 0.1.0
 */
public enum SearchEnd {

	/** Everything was looked at. */
	EVERYTHING,

	/** The slice is full, and what comes after it was not looked at. */
	LIMIT,

	/** The time was over. What was found is correct, and not all there is. */
	DEADLINE,

	/** The caller cancelled it. */
	CANCELLED

}
