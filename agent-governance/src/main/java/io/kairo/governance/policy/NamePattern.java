package io.kairo.governance.policy;

import com.google.re2j.Pattern;

/**
 * A pattern of names: {@code *} stands for any characters and {@code ?} for one.
 * Immutable.
 */
final class NamePattern {

	private final Pattern pattern;

	/**
	 * Creates a pattern.
	 * @throws IllegalArgumentException if it is blank
	 */
	NamePattern(String pattern) {
		if (pattern.isBlank()) {
			throw new IllegalArgumentException("a name is blank: remove it, or give * for every name");
		}
		this.pattern = Pattern.compile(regex(pattern, "."), Pattern.DOTALL);
	}

	boolean matches(String name) {
		return this.pattern.matches(name);
	}

	/**
	 * Returns a regular expression for a pattern.
	 * @param one the expression for any character
	 */
	static String regex(String pattern, String one) {
		StringBuilder regex = new StringBuilder();
		pattern.codePoints().forEach((c) -> {
			switch (c) {
				case '*' -> regex.append(one).append('*');
				case '?' -> regex.append(one);
				default -> regex.append(Pattern.quote(Character.toString(c)));
			}
		});
		return regex.toString();
	}

}
