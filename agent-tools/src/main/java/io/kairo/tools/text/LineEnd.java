package io.kairo.tools.text;

import org.jspecify.annotations.Nullable;

/**
 * The end of a line of text.
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
		int lines = (this == LF) ? 0 : (int) plain.chars().filter((c) -> c == '\n').count();
		if (lines == 0) {
			return plain;
		}
		StringBuilder ended = new StringBuilder(Math.addExact(plain.length(), lines));
		int from = 0;
		for (int i = plain.indexOf('\n'); i >= 0; i = plain.indexOf('\n', from)) {
			ended.append(plain, from, i).append(this.characters);
			from = i + 1;
		}
		return ended.append(plain, from, plain.length()).toString();
	}

	/**
	 * Ends every line of a text with a line feed alone.
	 * @param text the text
	 * @return the text without carriage returns before line feeds
	 */
	public static String strip(String text) {
		int from = 0;
		int i = text.indexOf("\r\n");
		if (i < 0) {
			return text;
		}
		// takes less memory than String.replace, since that keeps the place of each end
		StringBuilder stripped = new StringBuilder(text.length() - 1);
		for (; i >= 0; i = text.indexOf("\r\n", from)) {
			stripped.append(text, from, i);
			from = i + 1;
		}
		return stripped.append(text, from, text.length()).toString();
	}

	/**
	 * Returns the end that most lines of a text have.
	 * @param text the text
	 * @return the end, null for a text of one line without end
	 */
	public static @Nullable LineEnd of(String text) {
		long lineFeeds = text.chars().filter((c) -> c == '\n').count();
		int pairs = text.length() - strip(text).length();
		return (lineFeeds == 0) ? null : (2L * pairs > lineFeeds) ? CRLF : LF;
	}

}
