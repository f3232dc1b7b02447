package io.kairo.workspace.search;

import java.util.List;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.search.SegmentPath.DotRule;

/**
 * Globs for the entries of a listing. Unlike in a search, wildcards match hidden names
 * too. Immutable.
 */
public final class FileNames {

	private final List<SegmentPath> globs;

	private FileNames(List<SegmentPath> globs) {
		this.globs = globs;
	}

	/**
	 * Creates the value.
	 * @param globs globs in the syntax of {@link GlobQuery}
	 * @return the value; it matches the entries that match any of the globs
	 * @throws SearchPatternException if a glob is invalid
	 */
	public static FileNames of(List<String> globs) {
		return new FileNames(globs.stream()
			.map((glob) -> glob.endsWith("/") ? glob.substring(0, glob.length() - 1) : glob)
			.flatMap((glob) -> GlobSyntax.expandWithNames(glob).stream())
			.map((glob) -> PathGlob.path(glob, DotRule.DOT_IS_ORDINARY))
			.toList());
	}

	/**
	 * Returns whether an entry matches.
	 * @param path the entry
	 * @param directory the directory that the globs are relative to, above the entry
	 * @return true if a glob matches
	 */
	public boolean match(WorkspacePath path, WorkspacePath directory) {
		List<String> names = Names.of(path);
		List<String> below = names.subList(Names.of(directory).size(), names.size());
		return this.globs.stream().anyMatch((glob) -> glob.matches(below));
	}

}
