package io.kairo.tools.text;

import org.jspecify.annotations.Nullable;

/**
 * The end of a line of text.
 *
 * @since 0.1.0
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
	 * Ends every line of a text with this end.
	 * @param text the text
	 * @return the text with this end
	 */
	public String applyTo(String text) {
		String plain = strip(text);
		return (this == LF) ? plain : plain.replace("\n", this.characters);
	}

	/**
	 * Ends every line of a text with a line feed alone.
	 * @param text the text
	 * @return the text without carriage returns before line feeds
	 */
	public static String strip(String text) {
		return text.replace("\r\n", "\n");
	}

	/**
	 * Returns the end that most lines of a text have.
	 * @param text the text
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
