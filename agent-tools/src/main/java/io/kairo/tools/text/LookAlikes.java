package io.kairo.tools.text;

import java.text.Normalizer;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Characters that look like others: spaces, dashes and quotes outside of ASCII, and
 * accents that are characters of their own.
 */
public final class LookAlikes {

	private static final int MAX_NAMES = 3;

	private LookAlikes() {
	}

	/**
	 * Replaces spaces, dashes and quotes by those of ASCII, one character by one.
	 * @param text the text
	 * @return the text with the same length
	 */
	public static String fold(String text) {
		StringBuilder folded = null;
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			char plain = (c < 0x80) ? c : plain(c);
			if (plain != c) {
				folded = (folded != null) ? folded : new StringBuilder(text);
				folded.setCharAt(i, plain);
			}
		}
		return (folded != null) ? folded.toString() : text;
	}

	/**
	 * Returns whether two texts look the same.
	 * @param one a text
	 * @param other another text
	 * @return true if only look-alike characters differ
	 */
	public static boolean same(String one, String other) {
		return look(one).equals(look(other));
	}

	/**
	 * Escapes the characters that look like others.
	 * @param text the text
	 * @return the text, with such characters in the form of {@code \u202f}
	 */
	public static String spell(String text) {
		if (text.chars().allMatch((c) -> c < 0x80)) {
			return text;
		}
		boolean composed = Normalizer.isNormalized(text, Normalizer.Form.NFC);
		StringBuilder spelled = new StringBuilder();
		text.chars().forEach((c) -> {
			boolean accent = !composed && Character.getType(c) == Character.NON_SPACING_MARK;
			if (accent || (c >= 0x80 && plain((char) c) != c)) {
				spelled.append(Phrase.of("\\u%04x", c));
			}
			else {
				spelled.append((char) c);
			}
		});
		return spelled.toString();
	}

	/**
	 * Returns the note of a result on paths with characters that look like others.
	 * @param paths the paths, as the result shows them
	 * @return the note, null if there are no such paths
	 */
	public static @Nullable String note(Stream<String> paths) {
		List<String> found = paths.filter((path) -> !spell(path).equals(path)).toList();
		return found.isEmpty() ? null
				: Phrase.of("look-alike characters in %s: %s", Phrase.count(found.size(), "name"), String.join(", ",
						found.stream().limit(MAX_NAMES).map((path) -> WorkspacePath.quote(spell(path))).toList()));
	}

	private static String look(String text) {
		return fold(Normalizer.normalize(text, Normalizer.Form.NFC));
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
