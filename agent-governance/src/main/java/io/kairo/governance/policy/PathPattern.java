package io.kairo.governance.policy;

import java.util.ArrayList;
import java.util.List;

import com.google.re2j.Pattern;

/**
 * A glob of paths below a root, matched in linear time: {@code *} and {@code ?} do not
 * match a slash, {@code **} stands for any number of names. A glob without a slash is for
 * names at any depth. Wildcards match a leading dot. Immutable.
 */
final class PathPattern {

	private static final String ANY_DEPTH = "**";

	private final List<String> names;

	private final Pattern exact;

	private final Pattern ignoringCase;

	/** Of the names before the first one of any depth, ignoring case. */
	private final List<Pattern> start = new ArrayList<>();

	/**
	 * Creates a pattern.
	 * @throws IllegalArgumentException if the glob is absolute, leaves the root or has
	 * characters that are not supported
	 */
	PathPattern(String glob) {
		this.names = names(glob);
		StringBuilder regex = new StringBuilder();
		for (String name : this.names) {
			regex.append(name.equals(ANY_DEPTH) ? "(?:/[^/]+)*" : "/" + NamePattern.regex(name, "[^/]"));
		}
		this.exact = Pattern.compile(regex.toString());
		this.ignoringCase = Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE);
		for (String name : this.names) {
			if (name.equals(ANY_DEPTH)) {
				break;
			}
			this.start.add(Pattern.compile(NamePattern.regex(name, "."), Pattern.CASE_INSENSITIVE | Pattern.DOTALL));
		}
	}

	private static List<String> names(String glob) {
		if (glob.isBlank() || glob.startsWith("/") || glob.chars().anyMatch((c) -> "{}[]\\:".indexOf(c) >= 0)) {
			throw new IllegalArgumentException("the glob '" + glob + "' of paths cannot be used: give one relative to "
					+ "a root of the workspace, with no other wildcards than *, ? and **");
		}
		List<String> names = new ArrayList<>(List.of(glob.split("/", -1)));
		if (names.size() == 1) {
			names.add(0, ANY_DEPTH);
		}
		else if (names.get(names.size() - 1).isEmpty()) {
			names.set(names.size() - 1, ANY_DEPTH);
		}
		if (names.stream().anyMatch((name) -> name.isEmpty() || name.equals(".") || name.equals(".."))) {
			throw new IllegalArgumentException(
					"the glob '" + glob + "' of paths has an empty name, '.' or '..': remove it");
		}
		return names;
	}

	/**
	 * Returns whether the glob matches a path, and with a tree everything below it.
	 */
	boolean covers(PathTarget target) {
		return this.exact.matches(rooted(target.path()))
				&& (!target.tree() || this.names.get(this.names.size() - 1).equals(ANY_DEPTH));
	}

	/**
	 * Returns whether the glob matches a path or a directory above it, or with a tree
	 * possibly something below it. Ignores case.
	 */
	boolean touches(PathTarget target) {
		return touches(target.path(), target.tree()) || touches(target.identity(), target.tree());
	}

	private boolean touches(String relative, boolean tree) {
		String path = rooted(relative);
		for (int end = path.length(); end >= 0; end = path.lastIndexOf('/', end - 1)) {
			if (this.ignoringCase.matches(path.substring(0, end))) {
				return true;
			}
			if (end == 0) {
				break;
			}
		}
		return tree && mayMatchBelow(relative);
	}

	private boolean mayMatchBelow(String directory) {
		List<String> above = directory.isEmpty() ? List.of() : List.of(directory.split("/"));
		for (int i = 0; i < above.size(); i++) {
			if (i == this.start.size()) {
				return this.start.size() < this.names.size();
			}
			if (!this.start.get(i).matches(above.get(i))) {
				return false;
			}
		}
		return above.size() < this.names.size();
	}

	private static String rooted(String path) {
		return path.isEmpty() ? "" : "/" + path;
	}

}
