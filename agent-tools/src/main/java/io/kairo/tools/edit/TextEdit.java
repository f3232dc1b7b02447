package io.kairo.tools.edit;

/**
 * The wish to have a part of a text replaced.
 *
 * @param oldString the part
 * @param newString what comes in its place
 * @param scope how often the part may occur
 */
record TextEdit(String oldString, String newString, Scope scope) {

	/**
	 * How often a part may occur.
	 */
	enum Scope {

		/** Once. */
		UNIQUE,

		/** As often as it does, and all of them are replaced. */
		ALL

	}

}
