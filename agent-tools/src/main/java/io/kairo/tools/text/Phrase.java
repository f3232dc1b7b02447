package io.kairo.tools.text;

import java.util.Locale;

/**
 * Formats what a model or a program reads, which must not depend on the locale of the
 * JVM.
 */
public final class Phrase {

	private Phrase() {
	}

	public static String of(String pattern, Object... values) {
		return String.format(Locale.ROOT, pattern, values);
	}

	/**
	 * Returns the ending of a noun that is counted.
	 * @param count how many there are
	 */
	public static String plural(long count) {
		return (count == 1) ? "" : "s";
	}

	/**
	 * Returns a line of a file so that it is one line, and shows what is in it: control
	 * characters and those that change the direction of text become visible.
	 */
	public static String visible(String text) {
		if (text.chars().noneMatch(Phrase::isInvisible)) {
			return text;
		}
		StringBuilder visible = new StringBuilder();
		text.chars().forEach((c) -> {
			if (isInvisible(c)) {
				visible.append(of("\\u%04x", c));
			}
			else {
				visible.append((char) c);
			}
		});
		return visible.toString();
	}

	private static boolean isInvisible(int c) {
		return (Character.isISOControl(c) && c != '\t') || c == 0x2028 || c == 0x2029 || (c >= 0x202A && c <= 0x202E)
				|| (c >= 0x2066 && c <= 0x2069);
	}

}
