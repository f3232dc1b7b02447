package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A glob for a single name. Matching takes time at most proportional to the product of
 * both lengths. Immutable.
 */
final class SegmentPattern {

	private static final int ANY = -1;

	private static final int STAR = -2;

	/** Symbols from this one downwards are classes. */
	private static final int CLASSES = -10;

	private final int[] symbols;

	private final List<CharacterClass> classes;

	/** The suffix if the pattern is a star and a suffix, null otherwise. */
	private final @Nullable String suffix;

	/** A name that matches too, null for none. */
	private final @Nullable String spelling;

	private SegmentPattern(int[] symbols, List<CharacterClass> classes, @Nullable String spelling) {
		this.symbols = symbols;
		this.classes = classes;
		this.spelling = spelling;
		this.suffix = suffix(symbols);
	}

	/**
	 * Creates a pattern.
	 * @param glob a glob without slashes and alternatives; braces are ordinary characters
	 * @throws SearchPatternException if a class is never closed
	 */
	static SegmentPattern of(String glob) {
		return of(glob, null);
	}

	/**
	 * Creates a pattern that also matches the name that is spelled like the glob, such as
	 * {@code [id]}.
	 * @param glob a glob without slashes and alternatives; braces are ordinary characters
	 * @throws SearchPatternException if a class is never closed
	 */
	static SegmentPattern ofSpelling(String glob) {
		return of(glob, (glob.indexOf('[') >= 0 || glob.indexOf('\\') >= 0) ? glob : null);
	}

	private static SegmentPattern of(String glob, @Nullable String spelling) {
		int[] symbols = new int[glob.length()];
		List<CharacterClass> classes = new ArrayList<>();
		int count = 0;
		for (int i = 0; i < glob.length();) {
			int c = glob.codePointAt(i);
			int symbol = c;
			if (c == '\\' && i + 1 < glob.length()) {
				symbol = glob.codePointAt(++i);
				i += Character.charCount(symbol);
			}
			else if (c == '[') {
				int end = CharacterClass.end(glob, i);
				symbol = CLASSES - classes.size();
				classes.add(CharacterClass.parse(glob, i, end));
				i = end + 1;
			}
			else {
				symbol = (c == '*') ? STAR : (c == '?') ? ANY : c;
				i += Character.charCount(c);
			}
			if (symbol != STAR || count == 0 || symbols[count - 1] != STAR) {
				symbols[count++] = symbol;
			}
		}
		return new SegmentPattern(java.util.Arrays.copyOf(symbols, count), classes, spelling);
	}

	/**
	 * Returns whether the pattern begins with a dot, and so matches hidden names.
	 */
	boolean beginsWithDot() {
		return this.symbols.length > 0 && this.symbols[0] == '.';
	}

	boolean matches(String name) {
		if (this.suffix != null) {
			return name.endsWith(this.suffix);
		}
		if (name.equals(this.spelling)) {
			return true;
		}
		int position = 0;
		int symbol = 0;
		int star = -1;
		int retry = 0;
		while (position < name.length()) {
			int c = name.codePointAt(position);
			if (symbol < this.symbols.length && this.symbols[symbol] == STAR) {
				star = symbol++;
				retry = position;
			}
			else if (symbol < this.symbols.length && admits(this.symbols[symbol], c)) {
				symbol++;
				position += Character.charCount(c);
			}
			else if (star >= 0) {
				retry += Character.charCount(name.codePointAt(retry));
				position = retry;
				symbol = star + 1;
			}
			else {
				return false;
			}
		}
		while (symbol < this.symbols.length && this.symbols[symbol] == STAR) {
			symbol++;
		}
		return symbol == this.symbols.length;
	}

	private boolean admits(int symbol, int c) {
		if (symbol <= CLASSES) {
			return this.classes.get(CLASSES - symbol).has(c);
		}
		return symbol == ANY || symbol == c;
	}

	private static @Nullable String suffix(int[] symbols) {
		if (symbols.length == 0 || symbols[0] != STAR) {
			return null;
		}
		for (int i = 1; i < symbols.length; i++) {
			if (symbols[i] < 0) {
				return null;
			}
		}
		return new String(symbols, 1, symbols.length - 1);
	}

}
