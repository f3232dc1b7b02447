package io.kairo.workspace.search;

import java.util.List;
import java.util.Random;

/**
 * Random regular expressions and texts that they often match.
 */
final class RandomRegex {

	private static final List<String> ITEMS = List.of("foo", "bar", "ba", "q", "z", "qz", "k", "s", "a", "b", "o", "K",
			"é", "ſ", ".", "[fb]", "[^a]", "[a-o]", "[^\\s]", "\\.", "(?:foo|ba|é)", "(?:a|b)", "(?:fo+|b?a)", "[é-ü]",
			"x");

	private static final List<String> ASCII_ITEMS = List.of("\\w", "\\d", "\\b", "\\W", "\\s", "\\S");

	private static final List<String> RE2_ITEMS = List.of("\\B", "(?i:k)", "(?i)", "(?-i)", "(?s:.)", "\\x61",
			"\\x{e9}", "\\Qa.b\\E", "[[:alpha:]]", "[^[:word:]]", "\\pL", "\\p{Lu}", "\\PL", "\\061", "[\\]a]", "[]a]",
			"\\A", "\\z", "(?P<n>a)", "[\\x{17f}]", "[a\\-z]", "\\r", "\\t", "{", "]", "[K]", "(|a)", "(?i:\u212a)");

	private static final List<String> QUANTIFIERS = List.of("*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?",
			"{0}");

	private static final String[] TEXTS = { "q", "z", "qz", "foo", "bar", "boo", "a", "b", " ", " ", "é", "ü", "FOO",
			".", "ba", "s", "k", "\u212a", "ſ", "x", "_1", "\t", "K", "S", "oo", "{", "😀", "1" };

	private RandomRegex() {
	}

	/**
	 * Returns an expression with the same meaning in ripgrep and in RE2.
	 * @param ascii whether the text is ASCII, so that {@code \w} means the same
	 */
	static String portable(Random random, boolean ascii) {
		return alternatives(random, ascii ? List.of(ITEMS, ASCII_ITEMS) : List.of(ITEMS));
	}

	static String any(Random random) {
		return alternatives(random, List.of(ITEMS, ASCII_ITEMS, RE2_ITEMS));
	}

	private static String alternatives(Random random, List<List<String>> items) {
		StringBuilder regex = new StringBuilder();
		for (int i = random.nextInt(4) / 2; i >= 0; i--) {
			regex.append((random.nextInt(8) == 0) ? "^" : "");
			for (int j = random.nextInt(5); j >= 0; j--) {
				List<String> choice = items.get(random.nextInt(items.size()));
				String item = choice.get(random.nextInt(choice.size()));
				boolean group = random.nextInt(6) == 0;
				regex.append(group ? "(" + item + alternative(random) + ")" : item);
				if (random.nextInt(3) == 0 && (group || !item.startsWith("\\b") && !item.startsWith("\\B"))) {
					regex.append(QUANTIFIERS.get(random.nextInt(QUANTIFIERS.size())));
				}
			}
			regex.append((random.nextInt(8) == 0) ? "$" : "").append((i > 0) ? "|" : "");
		}
		return regex.toString();
	}

	private static String alternative(Random random) {
		return (random.nextInt(3) == 0) ? "|" + ITEMS.get(random.nextInt(ITEMS.size())) : "";
	}

	/**
	 * Returns a line without its end.
	 */
	static String line(Random random, boolean ascii) {
		StringBuilder line = new StringBuilder();
		for (int i = random.nextInt(9); i > 0; i--) {
			String text = TEXTS[random.nextInt(TEXTS.length)];
			line.append((ascii && text.charAt(0) >= 0x80) ? "e" : text);
		}
		return line.toString();
	}

}
