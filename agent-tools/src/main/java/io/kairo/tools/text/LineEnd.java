package io.kairo.tools.text;

import org.jspecify.annotations.Nullable;

/**
 * How a line of a text ends.
 */
public enum LineEnd {

	/** A line feed. */
	LF("\n"),

	/** A carriage return and a line feed. */
	CRLF("\r\n");

	private final String characters;

	LineEnd(String characters) {
		this.characters = characters;
	}

	/**
	 * Gives every line of a text this end.
	 */
	public String applyTo(String text) {
		String plain = strip(text);
		return (this == LF) ? plain : plain.replace("\n", this.characters);
	}

	/**
	 * Makes every line of a text end with a line feed alone.
	 */
	public static String strip(String text) {
		return text.replace("\r\n", "\n");
	}

	/**
	 * Returns the end that most lines of a text have.
	 * @return the end, null for a text of one line without end
	 */
	public static @Nullable LineEnd of(String text) {
		int lineFeeds = 0;
		int pairs = 0;
		for (int i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) {
			lineFeeds++;
			if (i > 0 && text.charAt(i - 1) == '\r') {
				pairs++;
			}
		}
		if (lineFeeds == 0) {
			return null;
		}
		return (2 * pairs > lineFeeds) ? CRLF : LF;
	}

}
