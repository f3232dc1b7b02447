package io.kairo.governance.policy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A pattern of commands, matched in linear time. Immutable.
 */
final class CommandPattern {

	private final Pattern pattern;

	/**
	 * Creates a pattern.
	 * @throws IllegalArgumentException if it is blank or no regular expression
	 */
	CommandPattern(String pattern) {
		if (pattern.isBlank()) {
			throw new IllegalArgumentException("a pattern of commands is blank: remove it, or give .* for every one");
		}
		try {
			this.pattern = Pattern.compile(pattern);
		}
		catch (PatternSyntaxException ex) {
			throw new IllegalArgumentException(
					"the pattern '" + pattern + "' of commands cannot be read: " + ex.getDescription(), ex);
		}
	}

	/**
	 * Returns whether the whole command matches.
	 */
	boolean matches(String command) {
		return this.pattern.matches(command);
	}

	/**
	 * Returns whether a part of the command matches.
	 */
	boolean isIn(String command) {
		return this.pattern.matcher(command).find();
	}

}
