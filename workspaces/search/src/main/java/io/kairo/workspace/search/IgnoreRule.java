package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;

import io.kairo.workspace.search.SegmentPath.DotRule;
import org.jspecify.annotations.Nullable;

/**
 * A line of an ignore file, as described by gitignore(5).
 *
 * @param pattern the pattern of paths, relative to the directory of the ignore file
 * @param directoriesOnly whether the rule applies to directories only
 * @param readmits whether the rule readmits entries that an earlier line ignores
 */
record IgnoreRule(SegmentPath pattern, boolean directoriesOnly, boolean readmits) {

	private static final int OFTEN = 255;

	/**
	 * Parses an ignore file.
	 * @param text the text of the file
	 * @param budget the rules that the search may still have; lines beyond it are left
	 * out
	 * @param clock the clock of the search
	 */
	static Parsed parse(String text, IgnoreBudget budget, SearchClock clock) {
		List<IgnoreRule> rules = new ArrayList<>();
		boolean whole = true;
		int lines = 0;
		for (String line : (Iterable<String>) text.lines()::iterator) {
			if ((++lines & OFTEN) == 0) {
				clock.check();
			}
			String glob = stripTrailingSpaces(line);
			if (glob.isEmpty() || glob.startsWith("#")) {
				continue;
			}
			boolean taken = budget.take(glob);
			IgnoreRule rule = taken ? parseLine(glob) : null;
			if (rule != null) {
				rules.add(rule);
			}
			whole &= taken;
		}
		return new Parsed(List.copyOf(rules), whole);
	}

	private static @Nullable IgnoreRule parseLine(String line) {
		String glob = line;
		boolean readmits = glob.startsWith("!");
		glob = readmits ? glob.substring(1) : glob;
		boolean directoriesOnly = glob.endsWith("/");
		glob = directoriesOnly ? glob.substring(0, glob.length() - 1) : glob;
		if (glob.isEmpty()) {
			return null;
		}
		List<String> names = new ArrayList<>(List.of(glob.split("/", -1)));
		if (names.size() == 1) {
			names.add(0, "**");
		}
		try {
			return new IgnoreRule(SegmentPath.of(names, DotRule.DOT_IS_ORDINARY), directoriesOnly, readmits);
		}
		catch (SearchPatternException ex) {
			return null; // like git: a line with an invalid pattern is not applied
		}
	}

	private static String stripTrailingSpaces(String line) {
		int end = line.length();
		while (end > 0 && line.charAt(end - 1) == ' ' && !(end > 1 && line.charAt(end - 2) == '\\')) {
			end--;
		}
		return line.substring(0, end);
	}

	/**
	 * The rules of an ignore file.
	 *
	 * @param rules the rules in the order of their lines
	 * @param whole whether the budget admitted all of them
	 */
	record Parsed(List<IgnoreRule> rules, boolean whole) {

	}

}
