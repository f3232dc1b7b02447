package io.kairo.workspace.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The ignore files that are valid in a directory: its own, and those of the directories
 * above. Immutable.
 *
 * @param above those of the directories above, null for none
 * @param depth how many names the path of the directory has
 * @param ignore the rules of its {@code .ignore}
 * @param gitignore the rules of its {@code .gitignore}
 */
record IgnoreLevel(@Nullable IgnoreLevel above, int depth, List<IgnoreRule> ignore, List<IgnoreRule> gitignore) {

	/**
	 * Says what the ignore files say of an entry. As in ripgrep, any {@code .ignore} goes
	 * before any {@code .gitignore}, a deeper file before one above it, and a later line
	 * before an earlier one.
	 * @param names its path below the root of the workspace, name by name
	 * @param kind what it is
	 */
	static Verdict of(@Nullable IgnoreLevel level, List<String> names, Kind kind) {
		for (IgnoreLevel current = level; current != null; current = current.above) {
			Verdict verdict = of(current.ignore, names.subList(current.depth, names.size()), kind);
			if (verdict != Verdict.NONE) {
				return verdict;
			}
		}
		for (IgnoreLevel current = level; current != null; current = current.above) {
			Verdict verdict = of(current.gitignore, names.subList(current.depth, names.size()), kind);
			if (verdict != Verdict.NONE) {
				return verdict;
			}
		}
		return Verdict.NONE;
	}

	private static Verdict of(List<IgnoreRule> rules, List<String> names, Kind kind) {
		for (int i = rules.size() - 1; i >= 0; i--) {
			IgnoreRule rule = rules.get(i);
			if ((kind == Kind.DIRECTORY || !rule.directoriesOnly()) && rule.pattern().matches(names)) {
				return rule.readmits() ? Verdict.READMITTED : Verdict.IGNORED;
			}
		}
		return Verdict.NONE;
	}

	/**
	 * What the ignore files say.
	 */
	enum Verdict {

		/** Nothing. */
		NONE,

		/** It is ignored. */
		IGNORED,

		/** It is not, although it may be hidden. */
		READMITTED

	}

	/**
	 * What an entry is.
	 */
	enum Kind {

		/** A directory. */
		DIRECTORY,

		/** A file. */
		FILE

	}

}
