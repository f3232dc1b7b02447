package io.kairo.workspace.search;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * The result of a single pass over a regular expression: constructs that RE2 lacks or
 * that it spells differently, the approximate size of its program, and the line ends that
 * it names.
 */
final class RegexAnalysis {

	static final int MAX_LENGTH = 10_000;

	private static final int MAX_DEPTH = 200;

	private static final int MAX_SIZE = 10_000;

	private final String regex;

	/** The current size of each open group; the last one is the whole expression. */
	private final Deque<Long> sizes = new ArrayDeque<>();

	private long itemSize;

	private int position;

	/** The expression for RE2. */
	private final StringBuilder spelling;

	private boolean namesLineFeed;

	private boolean namesCarriageReturn;

	private RegexAnalysis(String regex) {
		this.regex = regex;
		this.spelling = new StringBuilder(regex);
	}

	/**
	 * Analyses an expression.
	 * @throws SearchPatternException if it has constructs that RE2 lacks, or is too large
	 */
	static RegexAnalysis of(String regex) {
		if (regex.isEmpty()) {
			throw new SearchPatternException("The pattern is empty: give a regular expression.");
		}
		if (regex.length() > MAX_LENGTH) {
			throw new SearchPatternException("The pattern has " + regex.length() + " characters: give at most "
					+ MAX_LENGTH + ", or search for a part of it.");
		}
		RegexAnalysis analysis = new RegexAnalysis(regex);
		analysis.read();
		return analysis;
	}

	/**
	 * Returns the expression as RE2 spells it: with {@code \b} for the beginning and the
	 * end of a word.
	 */
	String spelling() {
		return this.spelling.toString();
	}

	/**
	 * Returns whether the expression has a line feed outside a class.
	 */
	boolean namesLineFeed() {
		return this.namesLineFeed;
	}

	boolean namesCarriageReturn() {
		return this.namesCarriageReturn;
	}

	private void read() {
		this.sizes.push(0L);
		while (this.position < this.regex.length()) {
			int start = this.position;
			char c = this.regex.charAt(this.position++);
			switch (c) {
				case '\\' -> escape(start);
				case '[' -> characterClass(start);
				case '(' -> open(start);
				case ')' -> close(start);
				case '|' -> item(0);
				case '*', '?' -> quantifier(1);
				case '+' -> quantifier(2);
				case '{' -> counted(start);
				case '.', '^', '$' -> item(1);
				default -> literal(c);
			}
		}
		endItem();
		if (this.sizes.size() > 1) {
			throw new SearchPatternException("The pattern has a '(' that is never closed: close it, or write \\( for a "
					+ "parenthesis in the text.");
		}
		limit(this.sizes.element());
	}

	private void escape(int start) {
		if (this.position == this.regex.length()) {
			throw new SearchPatternException(
					"The pattern ends with a single backslash: write \\\\ for a backslash in the text.");
		}
		char c = this.regex.charAt(this.position++);
		if ((c >= '1' && c <= '9') || (c == 'k' && (next("<") || next("{")))) {
			throw unsupported("a back reference", start, "Search for the parts, and compare them in the results.");
		}
		switch (c) {
			case 'Q' -> quoted();
			case 'x' -> hexadecimal();
			case 'p', 'P' -> {
				skip(next("{") ? '}' : null);
				item(1);
			}
			case '<', '>' -> {
				if ((c == '<') ? isWordStart(start) : isWordEnd(start)) {
					this.spelling.setCharAt(start + 1, 'b');
				}
				item(1);
			}
			default -> {
				this.namesLineFeed |= c == 'n';
				this.namesCarriageReturn |= c == 'r';
				item(1);
			}
		}
	}

	/**
	 * Returns whether a word may begin at the current position. Otherwise the angle
	 * bracket before it is meant literally, as in {@code \</a>}.
	 */
	private boolean isWordStart(int escape) {
		if (this.position == this.regex.length() || (escape > 0 && isWord(this.regex.charAt(escape - 1)))) {
			return false;
		}
		char next = this.regex.charAt(this.position);
		boolean named = next == '\\' && this.position + 1 < this.regex.length()
				&& "wdpPQ".indexOf(this.regex.charAt(this.position + 1)) >= 0;
		return isWord(next) || named || "([.".indexOf(next) >= 0;
	}

	/**
	 * Returns whether a word may end before an escape.
	 */
	private boolean isWordEnd(int escape) {
		if (escape == 0 || (this.position < this.regex.length() && isWord(this.regex.charAt(this.position)))) {
			return false;
		}
		char last = this.regex.charAt(escape - 1);
		boolean escaped = escape > 1 && this.regex.charAt(escape - 2) == '\\';
		return isWord(last) || (!escaped && ")]}*+?.".indexOf(last) >= 0);
	}

	private static boolean isWord(char c) {
		return c == '_' || (c < 0x80 && Character.isLetterOrDigit(c));
	}

	private void quoted() {
		int end = this.regex.indexOf("\\E", this.position);
		String text = this.regex.substring(this.position, (end < 0) ? this.regex.length() : end);
		text.chars().forEach((c) -> literal((char) c));
		this.position = (end < 0) ? this.regex.length() : end + 2;
	}

	private void hexadecimal() {
		int from = this.position;
		if (next("{")) {
			from++;
			skip('}');
		}
		else {
			this.position = Math.min(this.regex.length(), this.position + 2);
		}
		String digits = this.regex.substring(from, this.position).replace("}", "");
		this.namesLineFeed |= digits.matches("0*[aA]");
		this.namesCarriageReturn |= digits.matches("0*[dD]");
		item(1);
	}

	/**
	 * Skips one character, or all characters up to and including the given one.
	 */
	private void skip(@Nullable Character end) {
		int found = (end != null) ? this.regex.indexOf(end, this.position) : this.position;
		this.position = (found < 0) ? this.regex.length() : Math.min(this.regex.length(), found + 1);
	}

	private void characterClass(int start) {
		boolean negated = next("^");
		this.position += negated ? 1 : 0;
		for (boolean first = true; this.position < this.regex.length(); first = false) {
			char c = this.regex.charAt(this.position++);
			if (c == ']' && !first) {
				item(1);
				return;
			}
			if (c == '[' && next(":") && this.regex.indexOf(":]", this.position) > 0) {
				this.position = this.regex.indexOf(":]", this.position) + 2;
			}
			else if (c == '\\' && this.position < this.regex.length()) {
				this.namesCarriageReturn |= this.regex.charAt(this.position++) == 'r' && !negated;
			}
		}
		throw new SearchPatternException("The pattern has a '[' at position " + (start + 1)
				+ " that is never closed: close it, or write \\[ for a bracket in the text.");
	}

	private void open(int start) {
		if (next("?=") || next("?!") || next("?<=") || next("?<!")) {
			throw unsupported(next("?<") ? "look-behind" : "look-ahead", start,
					"Search for the wider pattern and look through the results.");
		}
		if (next("?>")) {
			throw unsupported("an atomic group", start, "Write (?: instead: this search never backtracks.");
		}
		if (next("?#")) {
			throw unsupported("a comment", start, "Leave it out.");
		}
		if (this.sizes.size() > MAX_DEPTH) {
			throw new SearchPatternException("The pattern nests more than " + MAX_DEPTH + " groups: simplify it.");
		}
		skipGroupStart();
		endItem();
		this.sizes.push(0L);
	}

	private void skipGroupStart() {
		if (next("?")) {
			int end = this.position;
			while (end < this.regex.length() && ":>)".indexOf(this.regex.charAt(end)) < 0) {
				end++;
			}
			boolean flagsOnly = end < this.regex.length() && this.regex.charAt(end) == ')';
			this.position = flagsOnly ? end : Math.min(this.regex.length(), end + 1);
		}
	}

	private void close(int start) {
		if (this.sizes.size() == 1) {
			throw new SearchPatternException("The pattern has a ')' at position " + (start + 1)
					+ " that closes nothing: remove it, or write \\) for a parenthesis in the text.");
		}
		endItem();
		this.itemSize = this.sizes.pop() + 2;
	}

	private void counted(int start) {
		int end = this.regex.indexOf('}', start);
		String counts = (end < 0) ? "" : this.regex.substring(start + 1, end);
		if (!counts.matches("\\d{1,9}(,\\d{0,9})?")) {
			literal('{');
			return;
		}
		this.position = end + 1;
		String[] bounds = counts.split(",", -1);
		int min = Integer.parseInt(bounds[0]);
		String max = bounds[bounds.length - 1];
		quantifier(max.isEmpty() ? min + 1 : Integer.parseInt(max));
	}

	private void quantifier(int size) {
		if (next("+")) {
			throw unsupported("a possessive quantifier", this.position, "Leave the second + out.");
		}
		this.position += next("?") ? 1 : 0;
		this.itemSize = Math.min(this.itemSize * Math.max(1, size) + 1, Integer.MAX_VALUE);
		limit(this.itemSize);
	}

	private void literal(char c) {
		item(1);
		this.namesLineFeed |= c == '\n';
		this.namesCarriageReturn |= c == '\r';
	}

	private void item(long size) {
		endItem();
		this.itemSize = size;
	}

	private void endItem() {
		this.sizes.push(this.sizes.pop() + this.itemSize);
		this.itemSize = 0;
	}

	private static void limit(long size) {
		if (size > MAX_SIZE) {
			throw new SearchPatternException("The pattern repeats too much: it would have about " + size
					+ " steps, and at most " + MAX_SIZE + " are allowed. Use + or * instead of large counts.");
		}
	}

	private boolean next(String text) {
		return this.regex.startsWith(text, this.position);
	}

	private static SearchPatternException unsupported(String what, int start, String remedy) {
		return new SearchPatternException("The pattern has " + what + " at position " + (start + 1)
				+ ", which this search does not have, since it takes linear time. " + remedy);
	}

}
