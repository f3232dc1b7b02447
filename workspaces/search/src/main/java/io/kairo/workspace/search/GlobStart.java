package io.kairo.workspace.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A glob split into leading directories and the rest. A list of relative globs has no
 * leading directories.
 *
 * @param directories the names before the first wildcard, empty for none
 * @param rest the glob below them
 */
record GlobStart(String directories, String rest) {

	static GlobStart of(String glob) {
		if (!glob.startsWith("/") && GlobSyntax.list(glob).size() > 1) {
			return new GlobStart("", glob);
		}
		int end = 0;
		for (int slash = glob.indexOf('/'); slash >= 0; slash = glob.indexOf('/', slash + 1)) {
			if (!isPlain(glob.substring(end, slash))) {
				break;
			}
			end = slash + 1;
		}
		if (end == 0) {
			return new GlobStart("", glob);
		}
		String rest = glob.substring(end);
		return rest.isEmpty() ? new GlobStart(glob, "/**") : new GlobStart(glob.substring(0, end), "/" + rest);
	}

	/**
	 * Returns the same glob with one more name at the beginning that is taken literally.
	 * @return the split, null if no slash follows that name
	 */
	@Nullable GlobStart further() {
		int from = this.rest.startsWith("/") ? 1 : 0;
		int slash = this.rest.indexOf('/', from);
		return (slash < 0) ? null
				: new GlobStart(this.directories + this.rest.substring(from, slash + 1), this.rest.substring(slash));
	}

	/**
	 * Returns the filter of the files below the directories.
	 * @throws SearchPatternException if the glob cannot be compiled
	 */
	CompiledFilter filter() {
		return (this.directories.isEmpty() && GlobSyntax.list(this.rest).size() > 1)
				? new FileFilter(this.rest, null).compile()
				: new CompiledFilter(PathGlob.of(List.of(this.rest)), null, List.of());
	}

	private static boolean isPlain(String name) {
		return name.chars().noneMatch((c) -> "*?[]{}\\".indexOf(c) >= 0);
	}

}
