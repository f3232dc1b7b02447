package io.kairo.workspace.search;

/**
 * The reason why a search ended.
 *
 * @since 0.1.0
 */
public enum SearchEnd {

	/** The search is complete. */
	EVERYTHING,

	/** The slice is full; files after it were not searched. */
	LIMIT,

	/** The deadline passed; the results are correct but incomplete. */
	DEADLINE,

	/** The caller cancelled the search. */
	CANCELLED

}
