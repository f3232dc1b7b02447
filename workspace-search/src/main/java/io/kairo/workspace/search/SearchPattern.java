package io.kairo.workspace.search;

import java.util.Set;

/**
 * A regular expression in the syntax of RE2, which takes time linear in the length of the
 * text whatever the expression is. There is no look-around, no back reference and no
 * possessive or atomic group.
 *
 * @param regex the expression
 * @param flags how it is applied
 * @since 0.1.0
 */
public record SearchPattern(String regex, Set<Flag> flags) {

	/**
	 * Creates the value.
	 * @param regex the expression
	 * @param flags how it is applied; copied
	 * @throws SearchPatternException if the expression is not one, naming what is wrong
	 */
	public SearchPattern {
		flags = Set.copyOf(flags);
		CompiledPattern.compile(regex, flags);
	}

	/**
	 * Creates a pattern that is applied line by line, minding case.
	 * @param regex the expression
	 * @return the pattern
	 * @throws SearchPatternException if the expression is not one
	 */
	public static SearchPattern of(String regex) {
		return new SearchPattern(regex, Set.of());
	}

	CompiledPattern compile() {
		return CompiledPattern.compile(this.regex, this.flags);
	}

	/**
	 * How a pattern is applied.
	 */
	public enum Flag {

		/** Letters match whatever their case. */
		IGNORE_CASE,

		/**
		 * The pattern is applied to the whole file: a match may span lines, and {@code .}
		 * matches line ends too.
		 */
		MULTILINE

	}

}
