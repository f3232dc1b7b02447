package io.kairo.workspace.search;

/**
 * The reason why a search ended.
 */
public enum SearchEnd {

	/** The search is complete. */
	EVERYTHING,

	/**
	 * The slice is full, or the results before its end have more than about 8 Mi
	 * characters; later results are not reported.
	 */
	LIMIT,

	/** The deadline passed; the results are correct but incomplete. */
	DEADLINE,

	/** The caller cancelled the search. */
	CANCELLED

}
