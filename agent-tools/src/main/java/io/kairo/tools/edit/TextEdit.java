package io.kairo.tools.edit;

/**
 * A requested replacement of a part of a text.
 *
 * @param oldString the part
 * @param newString the replacement
 * @param scope the number of occurrences to replace
 */
record TextEdit(String oldString, String newString, Scope scope) {

	/**
	 * The number of occurrences to replace.
	 */
	enum Scope {

		/** The only one; several are an error. */
		UNIQUE,

		/** All of them. */
		ALL,
		/** The only syntax that consists of whole lines. */
		LINES

	}

}
