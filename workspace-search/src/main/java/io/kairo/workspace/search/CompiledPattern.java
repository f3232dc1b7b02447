package io.kairo.workspace.search;

import java.util.Set;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.kairo.workspace.search.SearchPattern.Flag;
import org.jspecify.annotations.Nullable;

/**
 * A pattern that is ready to be applied. Safe for use by several threads.
 */
final class CompiledPattern {

	private final Pattern pattern;

	private final @Nullable String literal;

	private final boolean literalOnly;

	private final boolean multiline;

	private final boolean namesCarriageReturn;

	private CompiledPattern(Pattern pattern, RegexAnalysis outline, Set<Flag> flags) {
		boolean ignoreCase = flags.contains(Flag.IGNORE_CASE);
		this.pattern = pattern;
		this.literal = ignoreCase ? null : outline.literal();
		this.literalOnly = this.literal != null && outline.isLiteral();
		this.multiline = flags.contains(Flag.MULTILINE);
		this.namesCarriageReturn = outline.namesCarriageReturn();
	}

	static CompiledPattern compile(String regex, Set<Flag> flags) {
		RegexAnalysis outline = RegexAnalysis.of(regex);
		if (outline.namesLineFeed() && !flags.contains(Flag.MULTILINE)) {
			throw new SearchPatternException(
					"The pattern has a line feed, but is applied line by line: set multiline to match across lines.");
		}
		int options = Pattern.MULTILINE;
		options |= flags.contains(Flag.IGNORE_CASE) ? Pattern.CASE_INSENSITIVE : 0;
		options |= flags.contains(Flag.MULTILINE) ? Pattern.DOTALL : 0;
		try {
			return new CompiledPattern(Pattern.compile(regex, options), outline, flags);
		}
		catch (PatternSyntaxException ex) {
			throw new SearchPatternException("The pattern is not a regular expression of the RE2 syntax: "
					+ ex.getDescription() + ((ex.getPattern() != null) ? " in `" + ex.getPattern() + "`" : "")
					+ ". Escape characters that are meant literally with a backslash.");
		}
	}

	Matcher matcher() {
		return this.pattern.matcher("");
	}

	/**
	 * Returns ASCII text that every matching line has.
	 * @return null if none is known
	 */
	@Nullable String literal() {
		return this.literal;
	}

	/**
	 * Returns whether having the literal is all it takes to match.
	 */
	boolean isLiteralOnly() {
		return this.literalOnly;
	}

	boolean isMultiline() {
		return this.multiline;
	}

	/**
	 * Returns whether a carriage return before a line feed is text to the pattern,
	 * instead of a part of the line end.
	 */
	boolean seesCarriageReturns() {
		return this.namesCarriageReturn;
	}

}
