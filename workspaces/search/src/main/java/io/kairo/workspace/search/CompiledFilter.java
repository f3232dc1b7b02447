package io.kairo.workspace.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A compiled {@link FileFilter}. Immutable.
 *
 * @param admitted the glob that files must match, or null to admit all
 * @param excluded the glob that files must not match, or null to exclude none
 * @param types the patterns; a name must match at least one; empty to admit all
 */
record CompiledFilter(@Nullable PathGlob admitted, @Nullable PathGlob excluded, List<SegmentPattern> types) {

	/**
	 * Returns the report of a search, unless it found no file because of a mistake in a
	 * glob.
	 * @param files the number of files that were found
	 * @throws SearchPatternException if no file was found, and a glob has a mistake
	 */
	<R> R checked(R report, long files) {
		SearchPatternException mistake = (this.admitted != null) ? this.admitted.mistake() : null;
		if (mistake != null && files == 0) {
			throw mistake;
		}
		return report;
	}

	/**
	 * Decides whether to search a file.
	 * @param names the names of its path below the searched directory
	 */
	Answer file(List<String> names) {
		String name = names.get(names.size() - 1);
		if (this.excluded != null && this.excluded.matchesHidden(names)) {
			return Answer.NO;
		}
		if (!this.types.isEmpty() && this.types.stream().noneMatch((type) -> type.matches(name))) {
			return Answer.NO;
		}
		if (this.admitted == null) {
			return hidden(name) ? Answer.HIDDEN : Answer.YES;
		}
		if (this.admitted.matches(names)) {
			return Answer.YES;
		}
		return this.admitted.matchesHidden(names) ? Answer.HIDDEN : Answer.NO;
	}

	/**
	 * Decides whether files below a directory may be searched.
	 * @param names the names of its path below the searched directory
	 */
	Answer directory(List<String> names) {
		if (this.admitted == null) {
			return hidden(names.get(names.size() - 1)) ? Answer.HIDDEN : Answer.YES;
		}
		if (this.admitted.mayMatchBelow(names)) {
			return Answer.YES;
		}
		return this.admitted.mayMatchHiddenBelow(names) ? Answer.HIDDEN : Answer.NO;
	}

	private static boolean hidden(String name) {
		return name.startsWith(".");
	}

	/**
	 * The decision on an entry.
	 */
	enum Answer {

		/** The entry is admitted. */
		YES,

		/** The entry is not admitted. */
		NO,

		/** The entry is not admitted only because it is hidden. */
		HIDDEN

	}

}
