package io.kairo.workspace.search;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.google.re2j.Pattern;
import io.kairo.workspace.search.RegexNode.Alternatives;
import io.kairo.workspace.search.RegexNode.Condition;
import io.kairo.workspace.search.RegexNode.OneOf;
import io.kairo.workspace.search.RegexNode.Repeated;
import io.kairo.workspace.search.RegexNode.Sequence;

/**
 * Reads a regular expression that RE2 accepts. The result matches wherever the expression
 * does, and nowhere else in a line of ASCII characters.
 */
final class RegexParser {

	private final String regex;

	private final Map<String, ByteSet> sets = new HashMap<>();

	private int position;

	private int options;

	private RegexParser(String regex, int options) {
		this.regex = regex;
		this.options = options;
	}

	/**
	 * Reads an expression.
	 * @param regex the expression, valid
	 * @param options the options of RE2
	 */
	static RegexNode parse(String regex, int options) {
		return new RegexParser(regex, options).alternatives();
	}

	private RegexNode alternatives() {
		List<RegexNode> alternatives = new ArrayList<>();
		Deque<RegexNode> items = new ArrayDeque<>();
		int outerOptions = this.options;
		while (this.position < this.regex.length()) {
			int start = this.position;
			int c = this.regex.codePointAt(start);
			this.position += Character.charCount(c);
			if (c == ')') {
				break;
			}
			switch (c) {
				case '|' -> {
					alternatives.add(new Sequence(List.copyOf(items)));
					items.clear();
				}
				case '(' -> group(items);
				case '*' -> repeat(items, 0, -1);
				case '+' -> repeat(items, 1, -1);
				case '?' -> repeat(items, 0, 1);
				case '{' -> counted(items, start);
				case '^' -> items.add(Condition.LINE_START);
				case '$' -> items.add(Condition.LINE_END);
				case '.' -> items.add(set("."));
				case '[' -> items.add(characterClass(start));
				case '\\' -> escape(items, start);
				default -> items.add(literal(c));
			}
		}
		this.options = outerOptions;
		alternatives.add(new Sequence(List.copyOf(items)));
		return (alternatives.size() == 1) ? alternatives.get(0) : new Alternatives(List.copyOf(alternatives));
	}

	private void group(Deque<RegexNode> items) {
		int outerOptions = this.options;
		if (next("?P<") || next("?<")) {
			skipPast(">");
		}
		else if (next("?")) {
			if (flags() == ')') {
				return; // the flags apply to the rest of the enclosing group
			}
		}
		items.add(alternatives());
		this.options = outerOptions;
	}

	/**
	 * Reads the flags of a group, and returns the character after them.
	 */
	private char flags() {
		boolean set = true;
		while (true) {
			char c = this.regex.charAt(++this.position);
			switch (c) {
				case ':', ')' -> {
					this.position++;
					return c;
				}
				case '-' -> set = false;
				case 'i' -> option(Pattern.CASE_INSENSITIVE, set);
				case 's' -> option(Pattern.DOTALL, set);
				default -> {
					// the other flags do not change the lines that match
				}
			}
		}
	}

	private void option(int option, boolean set) {
		this.options = set ? this.options | option : this.options & ~option;
	}

	private void counted(Deque<RegexNode> items, int start) {
		int end = this.regex.indexOf('}', start);
		String counts = (end < 0) ? "" : this.regex.substring(start + 1, end);
		if (!counts.matches("\\d{1,9}(,\\d{0,9})?")) {
			items.add(literal('{'));
			return;
		}
		this.position = end + 1;
		String[] bounds = counts.split(",", -1);
		String max = bounds[bounds.length - 1];
		repeat(items, Integer.parseInt(bounds[0]), max.isEmpty() ? -1 : Integer.parseInt(max));
	}

	private void repeat(Deque<RegexNode> items, int min, int max) {
		this.position += next("?") ? 1 : 0;
		items.add(new Repeated(items.removeLast(), min, max));
	}

	private void escape(Deque<RegexNode> items, int start) {
		int c = this.regex.codePointAt(this.position);
		this.position += Character.charCount(c);
		switch (c) {
			case 'A' -> items.add(Condition.LINE_START);
			case 'z' -> items.add(Condition.LINE_END);
			case 'b' -> items.add(Condition.WORD_BOUNDARY);
			case 'B' -> items.add(Condition.NO_WORD_BOUNDARY);
			case 'Q' -> {
				int end = this.regex.indexOf("\\E", this.position);
				String text = this.regex.substring(this.position, (end < 0) ? this.regex.length() : end);
				text.codePoints().forEach((quoted) -> items.add(literal(quoted)));
				this.position = (end < 0) ? this.regex.length() : end + 2;
			}
			default -> {
				skipEscape(c);
				items.add(set(this.regex.substring(start, this.position)));
			}
		}
	}

	private void skipEscape(int c) {
		switch (c) {
			case 'x' -> {
				if (next("{")) {
					skipPast("}");
				}
				else {
					this.position += 2;
				}
			}
			case 'p', 'P' -> {
				if (next("{")) {
					skipPast("}");
				}
				else {
					this.position = this.regex.offsetByCodePoints(this.position, 1);
				}
			}
			case '0' -> {
				for (int digits = 0; digits < 2 && this.position < this.regex.length()
						&& "01234567".indexOf(this.regex.charAt(this.position)) >= 0; digits++) {
					this.position++;
				}
			}
			default -> {
				// a single character
			}
		}
	}

	private RegexNode characterClass(int start) {
		this.position += next("^") ? 1 : 0;
		this.position += next("]") ? 1 : 0;
		while (!next("]")) {
			if (next("[:") && this.regex.indexOf(":]", this.position + 2) > 0) {
				skipPast(":]");
			}
			else {
				this.position += next("\\") ? 2 : 1;
			}
		}
		this.position++;
		return set(this.regex.substring(start, this.position));
	}

	private RegexNode literal(int c) {
		boolean letter = c >= 0x80 || Character.isLetter(c);
		if (letter && (this.options & Pattern.CASE_INSENSITIVE) != 0) {
			return set(Character.toString(c));
		}
		return new OneOf(ByteSet.of((ascii) -> ascii == c, c >= 0x80));
	}

	/**
	 * Returns the characters that match an expression for one character.
	 */
	private RegexNode set(String one) {
		return new OneOf(this.sets.computeIfAbsent(this.options + one, (key) -> {
			Pattern pattern = Pattern.compile(one, this.options);
			ByteSet ascii = ByteSet.of((c) -> pattern.matcher(Character.toString(c)).find(), false);
			return new ByteSet(ascii.low(), ascii.high(), mayHaveOthers(one, ascii));
		}));
	}

	private boolean mayHaveOthers(String one, ByteSet ascii) {
		// the Kelvin sign and the long s are other cases of these letters
		if ((this.options & Pattern.CASE_INSENSITIVE) != 0 && (ascii.has((byte) 'k') || ascii.has((byte) 's'))) {
			return true;
		}
		if (one.equals(".") || one.startsWith("[^") || one.contains("[:^")) {
			return true;
		}
		for (int i = 0; i < one.length(); i++) {
			char c = one.charAt(i);
			if (c >= 0x80 || (c == '\\' && "pPDSWx01234567".indexOf(one.charAt(++i)) >= 0) || one.charAt(i) >= 0x80) {
				return true;
			}
		}
		return false;
	}

	private void skipPast(String end) {
		this.position = this.regex.indexOf(end, this.position) + end.length();
	}

	private boolean next(String text) {
		return this.regex.startsWith(text, this.position);
	}

}
