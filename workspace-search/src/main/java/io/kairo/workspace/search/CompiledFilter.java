package io.kairo.workspace.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A filter that is ready to be applied. Immutable.
 *
 * @param admitted what files must match, null for anything
 * @param excluded what files must not match, null for nothing
 * @param types what names must match one of, empty for anything
 */
record CompiledFilter(@Nullable PathGlob admitted, @Nullable PathGlob excluded, List<SegmentPattern> types) {

	/**
	 * Returns the filter of the files that a glob is for.
	 */
	static CompiledFilter admitting(PathGlob glob) {
		return new CompiledFilter(glob, null, List.of());
	}

	/**
	 * Says whether a file is wanted.
	 * @param names its path below the directory that is searched, name by name
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
	 * Says whether there may be wanted files below a directory.
	 * @param names its path below the directory that is searched, name by name
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
	 * Whether an entry is wanted.
	 */
	enum Answer {

		/** It was asked for. */
		YES,

		/** It was not asked for. */
		NO,

		/** It would be, were it not hidden. */
		HIDDEN

	}

}
