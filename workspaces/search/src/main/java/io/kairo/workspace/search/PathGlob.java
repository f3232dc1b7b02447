package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;

import io.kairo.workspace.search.SegmentPath.DotRule;
import org.jspecify.annotations.Nullable;

/**
 * A glob for files below a directory, with the semantics of ripgrep: a glob without a
 * slash matches names at any depth, {@code *} and {@code ?} do not match a slash,
 * {@code **} does. Wildcards do not match a leading dot. A name that is spelled like a
 * part of the glob, such as {@code [id]}, matches that part too. Immutable.
 */
final class PathGlob {

	private final List<SegmentPath> alternatives;

	/** The same globs, with wildcards that match hidden names too. */
	private final List<SegmentPath> withHidden;

	private final @Nullable SearchPatternException mistake;

	private PathGlob(List<SegmentPath> alternatives, List<SegmentPath> withHidden,
			@Nullable SearchPatternException mistake) {
		this.alternatives = alternatives;
		this.withHidden = withHidden;
		this.mistake = mistake;
	}

	/**
	 * Creates a glob that matches what any of some globs matches. The part of a glob that
	 * has a mistake only matches a name that is spelled like it.
	 * @throws SearchPatternException if a glob is empty or too long, has too many
	 * alternatives or a {@code ..} segment
	 */
	static PathGlob of(List<String> globs) {
		List<String> expanded = new ArrayList<>();
		SearchPatternException mistake = null;
		for (String glob : globs) {
			SearchPatternException found = GlobSyntax.mistake(glob);
			mistake = (mistake != null) ? mistake : found;
			expanded.addAll(GlobSyntax.expandWithNames((found != null) ? GlobSyntax.asNames(glob) : glob));
		}
		return new PathGlob(expanded.stream().map((path) -> path(path, DotRule.DOT_IS_NAMED)).toList(),
				expanded.stream().map((path) -> path(path, DotRule.DOT_IS_ORDINARY)).toList(), mistake);
	}

	/**
	 * Returns the first mistake in the globs, the answer to a search that found no file.
	 */
	@Nullable SearchPatternException mistake() {
		return this.mistake;
	}

	static SegmentPath path(String glob, DotRule dotRule) {
		List<String> names = new ArrayList<>(List.of(glob.split("/", -1)));
		if (names.contains("..")) {
			throw new SearchPatternException(
					"The glob goes up with '..' after a wildcard: start it from another directory instead.");
		}
		if (names.size() == 1) {
			names.add(0, "**");
		}
		else if (names.get(names.size() - 1).isEmpty()) {
			names.set(names.size() - 1, "**");
		}
		return SegmentPath.of(names, dotRule, SegmentPattern::ofSpelling);
	}

	/**
	 * Returns whether a file matches.
	 * @param names the names of its path below the directory
	 */
	boolean matches(List<String> names) {
		return matches(this.alternatives, names);
	}

	/**
	 * Returns whether a file matches if wildcards match hidden names too.
	 */
	boolean matchesHidden(List<String> names) {
		return matches(this.withHidden, names);
	}

	/**
	 * Returns whether files below a directory may match.
	 * @param names the names of its path below the searched directory
	 */
	boolean mayMatchBelow(List<String> names) {
		return mayMatchBelow(this.alternatives, names);
	}

	/**
	 * Returns whether files below a directory may match if wildcards match hidden names
	 * too.
	 */
	boolean mayMatchHiddenBelow(List<String> names) {
		return mayMatchBelow(this.withHidden, names);
	}

	private static boolean matches(List<SegmentPath> paths, List<String> names) {
		for (SegmentPath path : paths) {
			if (path.matches(names)) {
				return true;
			}
		}
		return false;
	}

	private static boolean mayMatchBelow(List<SegmentPath> paths, List<String> names) {
		for (SegmentPath path : paths) {
			if (path.mayMatchBelow(names)) {
				return true;
			}
		}
		return false;
	}

}
