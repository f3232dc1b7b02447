package io.kairo.tools.edit;

/**
 * The terms for the two texts of an edit in messages.
 */
enum EditTerms {

	/** The parameters of a call. */
	STRINGS("old_string", "new_string"),

	/** The lines of a hunk, whose number precedes the message. */
	HUNK("its old text", "its new text");

	private final String old;

	private final String replacement;

	EditTerms(String old, String replacement) {
		this.old = old;
		this.replacement = replacement;
	}

	/**
	 * Returns whether a call may give the version that it expects.
	 */
	boolean takesVersion() {
		return this == STRINGS;
	}

	/**
	 * Returns the term for the text that is replaced.
	 */
	String old() {
		return this.old;
	}

	/**
	 * Returns the term for the text that replaces it.
	 */
	String replacement() {
		return this.replacement;
	}

}
