package io.kairo.workspace.search;

import java.util.List;
import java.util.Set;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.kairo.workspace.search.SearchPattern.Flag;
import org.jspecify.annotations.Nullable;

/**
 * A compiled {@link SearchPattern}. Safe for use by several threads.
 */
final class CompiledPattern {

	private final Pattern pattern;

	private final boolean multiline;

	private final boolean namesCarriageReturn;

	private final @Nullable LiteralSet literals;

	private final RegexProgram program;

	private CompiledPattern(Pattern pattern, RegexAnalysis analysis, Set<Flag> flags) {
		this.pattern = pattern;
		this.multiline = flags.contains(Flag.MULTILINE);
		this.namesCarriageReturn = analysis.namesCarriageReturn();
		RegexNode node = RegexParser.parse(pattern.pattern(), pattern.flags());
		List<String> texts = RequiredLiterals.of(node);
		this.literals = (texts != null) ? new LiteralSet(texts) : null;
		this.program = new RegexProgram(node);
	}

	static CompiledPattern compile(String regex, Set<Flag> flags) {
		RegexAnalysis analysis = RegexAnalysis.of(regex);
		if (analysis.namesLineFeed() && !flags.contains(Flag.MULTILINE)) {
			throw new SearchPatternException(
					"The pattern has a line feed, but is applied line by line: set multiline to match across lines.");
		}
		int options = Pattern.MULTILINE;
		options |= flags.contains(Flag.IGNORE_CASE) ? Pattern.CASE_INSENSITIVE : 0;
		options |= flags.contains(Flag.MULTILINE) ? Pattern.DOTALL : 0;
		return new CompiledPattern(compile(analysis.spelling(), options), analysis, flags);
	}

	private static Pattern compile(String regex, int options) {
		try {
			return Pattern.compile(regex, options);
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
	 * Returns a new automaton that finds the lines, or whole texts, that the pattern may
	 * match in.
	 */
	LineAutomaton automaton() {
		return new LineAutomaton(this.program, this.multiline, this.namesCarriageReturn);
	}

	/**
	 * Returns texts such that every matching line contains one.
	 * @return the texts, or null if none are known
	 */
	@Nullable LiteralSet literals() {
		return this.literals;
	}

	boolean isMultiline() {
		return this.multiline;
	}

	/**
	 * Returns whether the pattern sees a carriage return before a line feed as text
	 * rather than as a part of the line end.
	 */
	boolean seesCarriageReturns() {
		return this.namesCarriageReturn;
	}

	@Override
	public String toString() {
		return this.pattern.pattern();
	}

}
