package io.kairo.workspace.search;

import java.util.Set;
import java.util.function.Predicate;

/**
 * A regular expression in the syntax of RE2. It matches in time linear in the length of
 * the text. Look-around, back references, and possessive and atomic groups are not
 * supported. In addition, {@code \<} and {@code \>} match at the beginning and the end of
 * a word, where there may be one. Immutable.
 *
 * @param regex the expression
 * @param flags the flags, copied
 */
public record SearchPattern(String regex, Set<Flag> flags) {

	/**
	 * Creates the value.
	 * @throws SearchPatternException if the expression is invalid; the message names the
	 * fault
	 */
	public SearchPattern {
		flags = Set.copyOf(flags);
		CompiledPattern.compile(regex, flags);
	}

	/**
	 * Creates a case-sensitive pattern that is applied line by line.
	 * @param regex the expression
	 * @return the pattern
	 * @throws SearchPatternException if the expression is invalid
	 */
	public static SearchPattern of(String regex) {
		return new SearchPattern(regex, Set.of());
	}

	/**
	 * Compiles the pattern.
	 * @return a predicate that finds the pattern in a line, safe for use by several
	 * threads
	 */
	public Predicate<String> asPredicate() {
		CompiledPattern compiled = compile();
		return (line) -> compiled.matcher().reset(line).find();
	}

	CompiledPattern compile() {
		return CompiledPattern.compile(this.regex, this.flags);
	}

	/**
	 * A flag of a pattern.
	 */
	public enum Flag {

		/** Letters match regardless of case. */
		IGNORE_CASE,

		/**
		 * The pattern is applied to the whole file: a match may span lines, and {@code .}
		 * matches line ends too.
		 */
		MULTILINE

	}

}
