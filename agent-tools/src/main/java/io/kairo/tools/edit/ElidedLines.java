package io.kairo.tools.edit;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Comments that stand for lines that a model has left out, such as
 * {@code // ... existing code ...} and {@code # ... rest unchanged}.
 */
final class ElidedLines {

	private static final int MAX_LENGTH = 200;

	private static final String DOTS = "(\\.{3}|\u2026)";

	private static final String MARK = "(//+|#+|/\\*+|\\*|<!--|\\{/\\*|--|;+|%|'|\"\"\"|\\(\\*)";

	private static final String NOUN = "(code|file|class|function|functions|method|methods|lines|content|implementation"
			+ "|imports|body|logic|tests|fields)";

	private static final String WORDS = "((existing|rest|remaining|remainder|unchanged|omitted|elided|same as before"
			+ "|as before)|(other|previous) " + NOUN + ")\\b[\\w ,]*";

	private static final String TAIL = " *(\\*/\\}?|-->|\\*\\)|\"\"\")?";

	/** Without a mark, a space tells the dots from a spread of JavaScript. */
	private static final Pattern PLACEHOLDER = Pattern.compile("(" + MARK + " *" + DOTS + " *|" + DOTS
			+ " +)\\(?(keep )?(the |all |your )?" + WORDS + "\\)? *" + DOTS + "?" + TAIL, Pattern.CASE_INSENSITIVE);

	private static final Pattern SENTENCE = Pattern
		.compile(MARK + " *\\(?(the )?(rest|remainder) of (the |this )?" + NOUN
				+ "( (is|are|remains|stays))? ?(here|unchanged|the same|omitted|as before|" + DOTS + ")\\.?\\)?" + TAIL,
				Pattern.CASE_INSENSITIVE);

	/** Without dots, only where a comment is seldom about the code itself. */
	private static final Pattern MARKUP = Pattern
		.compile("(<!--|\\{/\\*) *(the |all )?(existing|other|remaining|rest of) [\\w ]{1,40}"
				+ "(unchanged|the same|as before|omitted)\\.? *(-->|\\*/\\})", Pattern.CASE_INSENSITIVE);

	private ElidedLines() {
	}

	/**
	 * Returns the first line of a text that stands for others.
	 * @param text the text
	 * @return the line without the white space around it, null if there is none
	 */
	static @Nullable String in(String text) {
		return text.lines().map(String::strip).filter(ElidedLines::isPlaceholder).findFirst().orElse(null);
	}

	/**
	 * Returns the first line of a replacement that stands for others and that the
	 * replaced text does not have.
	 * @param replacement the replacement
	 * @param old the replaced text
	 * @return the line without the white space around it, null if there is none
	 */
	static @Nullable String added(String replacement, String old) {
		if (in(replacement) == null) {
			return null;
		}
		Set<String> known = old.lines().map(String::strip).collect(Collectors.toSet());
		return replacement.lines()
			.map(String::strip)
			.filter((line) -> isPlaceholder(line) && !known.contains(line))
			.findFirst()
			.orElse(null);
	}

	private static boolean isPlaceholder(String line) {
		return line.length() >= 3 && line.length() <= MAX_LENGTH && !Character.isLetterOrDigit(line.charAt(0))
				&& (PLACEHOLDER.matcher(line).matches() || SENTENCE.matcher(line).matches()
						|| MARKUP.matcher(line).matches());
	}

}
