package io.kairo.workspace.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The ignore rules that apply in a directory: its own rules and the rules of the
 * directories above. Immutable.
 *
 * @param above the rules of the directories above, or null for none
 * @param depth the number of names in the path of the directory
 * @param ignore the rules of its {@code .ignore}
 * @param gitignore the rules of its {@code .gitignore}
 */
record IgnoreLevel(@Nullable IgnoreLevel above, int depth, List<IgnoreRule> ignore, List<IgnoreRule> gitignore) {

	private static final int OFTEN = 63;

	/**
	 * Returns the verdict of the ignore files on an entry. As in ripgrep, any
	 * {@code .ignore} takes precedence over any {@code .gitignore}, a deeper file over
	 * one above it, and a later line over an earlier one.
	 * @param names the names of its path below the root of the workspace
	 * @param kind the kind of the entry
	 * @param clock the clock of the search
	 */
	static Verdict of(@Nullable IgnoreLevel level, List<String> names, Kind kind, SearchClock clock) {
		for (IgnoreLevel current = level; current != null; current = current.above) {
			Verdict verdict = of(current.ignore, names.subList(current.depth, names.size()), kind, clock);
			if (verdict != Verdict.NONE) {
				return verdict;
			}
		}
		for (IgnoreLevel current = level; current != null; current = current.above) {
			Verdict verdict = of(current.gitignore, names.subList(current.depth, names.size()), kind, clock);
			if (verdict != Verdict.NONE) {
				return verdict;
			}
		}
		return Verdict.NONE;
	}

	private static Verdict of(List<IgnoreRule> rules, List<String> names, Kind kind, SearchClock clock) {
		for (int i = rules.size() - 1; i >= 0; i--) {
			if ((i & OFTEN) == OFTEN) {
				clock.check();
			}
			IgnoreRule rule = rules.get(i);
			if ((kind == Kind.DIRECTORY || !rule.directoriesOnly()) && rule.pattern().matches(names)) {
				return rule.readmits() ? Verdict.READMITTED : Verdict.IGNORED;
			}
		}
		return Verdict.NONE;
	}

	/**
	 * The verdict on an entry.
	 */
	enum Verdict {

		/** No rule matches the entry. */
		NONE,

		/** The entry is ignored. */
		IGNORED,

		/** The entry is not ignored, and searched even if it is hidden. */
		READMITTED

	}

	/**
	 * The kind of an entry.
	 */
	enum Kind {

		/** A directory. */
		DIRECTORY,

		/** A file. */
		FILE

	}

}
