package io.kairo.tools.text;

import java.util.Locale;

/**
 * A formatter for the texts of results, independent of the locale of the JVM.
 */
public final class Phrase {

	private Phrase() {
	}

	/**
	 * Formats a text.
	 * @param pattern the pattern, as of {@link String#format(String, Object...)}
	 * @param values the values
	 * @return the text
	 */
	public static String of(String pattern, Object... values) {
		return String.format(Locale.ROOT, pattern, values);
	}

	/**
	 * Returns the ending of a noun after a number.
	 * @param count the number
	 * @return empty for 1, else {@code s}
	 */
	public static String plural(long count) {
		return (count == 1) ? "" : "s";
	}

	/**
	 * Returns a number with a noun.
	 * @param count the number
	 * @param noun the noun in the singular
	 * @return such as {@code 1 byte}, {@code 2,000 bytes} or {@code 3 entries}
	 */
	public static String count(long count, String noun) {
		if (count != 1 && noun.endsWith("y")) {
			return of("%,d %sies", count, noun.substring(0, noun.length() - 1));
		}
		return of("%,d %s%s", count, noun, plural(count));
	}

	/**
	 * Returns a number with a phrase whose noun and verb agree with it.
	 * @param count the number
	 * @param one the phrase after 1
	 * @param more the phrase after any other number
	 * @return such as {@code 1 byte was} or {@code 2,000 bytes were}
	 */
	public static String count(long count, String one, String more) {
		return of("%,d %s", count, (count == 1) ? one : more);
	}

	/**
	 * Escapes the characters that would break a line, or change its look: control
	 * characters and characters that change the direction of text.
	 * @param text the text
	 * @return the text on one line
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
