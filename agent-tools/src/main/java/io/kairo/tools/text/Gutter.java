package io.kairo.tools.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The line numbers that Read puts before the lines of a file, in the style of
 * {@code cat -n}.
 */
public final class Gutter {

	/** Width of the number and the tab after it, for the first million lines. */
	public static final int WIDTH = 7;

	private static final Pattern NUMBER = Pattern.compile(" *(\\d{1,9})\t");

	private Gutter() {
	}

	/**
	 * Writes a line with its number.
	 * @param number the number, from 1
	 * @param line the line
	 * @return the line after its number and a tab
	 */
	public static String number(long number, String line) {
		return Phrase.of("%6d\t", number) + line;
	}

	/**
	 * Removes the numbers from a text that a model has copied together with them.
	 * @param text the text
	 * @return the text without the numbers, null unless all lines are numbered in
	 * sequence
	 */
	public static @Nullable String strip(String text) {
		String[] lines = text.split("\n", -1);
		int numbered = (lines.length > 1 && lines[lines.length - 1].isEmpty()) ? lines.length - 1 : lines.length;
		long expected = -1;
		for (int i = 0; i < numbered; i++) {
			Matcher matcher = NUMBER.matcher(lines[i]);
			if (!matcher.lookingAt()) {
				return null;
			}
			long number = Long.parseLong(matcher.group(1));
			if (expected >= 0 && number != expected) {
				return null;
			}
			expected = number + 1;
			lines[i] = lines[i].substring(matcher.end());
		}
		return String.join("\n", lines);
	}

	/**
	 * Returns whether a line of a text begins with a number.
	 * @param text the text
	 * @return true if any does
	 */
	public static boolean isIn(String text) {
		return text.lines().anyMatch((line) -> NUMBER.matcher(line).lookingAt());
	}

}
