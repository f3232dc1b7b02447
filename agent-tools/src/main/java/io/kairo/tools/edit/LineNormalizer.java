package io.kairo.tools.edit;

/**
 * The removal of differences that a match level tolerates. Except for {@link #CONTENT},
 * the remaining characters keep their columns.
 */
enum LineNormalizer {

	/** Removes nothing. */
	IDENTITY,

	/** A carriage return at the end. */
	LINE_END,

	/** White space at the end. */
	TRAILING_SPACE,

	/** White space at the end, and characters that look alike. */
	LOOK_ALIKES,

	/** White space at both ends: a first filter only, since it changes columns. */
	CONTENT;

	String apply(String line) {
		return switch (this) {
			case IDENTITY -> line;
			case LINE_END -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
			case TRAILING_SPACE -> line.stripTrailing();
			case LOOK_ALIKES -> fold(line).stripTrailing();
			case CONTENT -> line.strip();
		};
	}

	/**
	 * Normalizes the last line of a part. It has no line end.
	 */
	String applyToLast(String line) {
		return switch (this) {
			case IDENTITY, LINE_END -> line;
			case TRAILING_SPACE, CONTENT -> apply(line);
			case LOOK_ALIKES -> fold(line);
		};
	}

	private static String fold(String line) {
		StringBuilder folded = null;
		for (int i = 0; i < line.length(); i++) {
			char c = line.charAt(i);
			char plain = (c < 0x80) ? c : plain(c);
			if (plain != c) {
				folded = (folded != null) ? folded : new StringBuilder(line);
				folded.setCharAt(i, plain);
			}
		}
		return (folded != null) ? folded.toString() : line;
	}

	private static char plain(char c) {
		if (Character.getType(c) == Character.SPACE_SEPARATOR) {
			return ' ';
		}
		return switch (c) {
			case '\u2018', '\u2019', '\u201A', '\u201B', '\u2032', '\u00B4', '\u02BC' -> '\'';
			case '\u201C', '\u201D', '\u201E', '\u201F', '\u2033' -> '"';
			case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\u00AD' -> '-';
			default -> c;
		};
	}

}
