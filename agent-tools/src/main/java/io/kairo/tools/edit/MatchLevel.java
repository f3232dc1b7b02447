package io.kairo.tools.edit;

/**
 * The exactness of a match. Each level tolerates more differences than the ones before
 * it.
 */
enum MatchLevel {

	/** As given. */
	EXACT("exact", "as it is"),

	/** With other line ends. */
	LINE_ENDS("line_ends", "with other line ends"),

	/** Without the line numbers that Read puts before each line. */
	LINE_NUMBERS("line_numbers", "without the line numbers"),

	/** With other white space at the ends of lines. */
	TRAILING_SPACE("trailing_space", "with other white space at line ends"),

	/** With another indentation, the same for all lines. */
	INDENTATION("indentation", "with another indentation"),

	/** With characters that look alike. */
	LOOK_ALIKES("look_alikes", "with look-alike quotes, dashes or spaces");

	private final String code;

	private final String phrase;

	MatchLevel(String code, String phrase) {
		this.code = code;
		this.phrase = phrase;
	}

	String code() {
		return this.code;
	}

	/**
	 * Returns the phrase that completes a sentence such as "old_string was found".
	 */
	String phrase() {
		return this.phrase;
	}

}
