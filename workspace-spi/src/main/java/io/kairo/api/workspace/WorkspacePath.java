package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The address of a file or directory: a root of a workspace and a canonical path below
 * it. Immutable. Two paths are equal if both parts are; stores that ignore case compare
 * {@link #relative()} by {@link #PATH_COMPARATOR}.
 * <p>
 * Canonical means: segments separated by single slashes, none of them empty, {@code .} or
 * {@code ..}, no control character, and no slash at either end. The empty string is the
 * root itself. A value is independent of the disk: links are resolved by the store when
 * it opens the path.
 *
 * @param root the root, absolute
 * @param relative the canonical path below the root, empty for the root itself
 */
public record WorkspacePath(Path root, String relative) implements Comparable<WorkspacePath> {

	/**
	 * Compares canonical paths ignoring case.
	 */
	public static final Comparator<String> PATH_COMPARATOR = String.CASE_INSENSITIVE_ORDER;

	private static final Comparator<WorkspacePath> ORDER = Comparator.comparing(WorkspacePath::root)
		.thenComparing(WorkspacePath::relative);

	/**
	 * Creates the value.
	 * @throws WorkspacePathException if {@code root} is not absolute or {@code relative}
	 * is not canonical
	 */
	public WorkspacePath {
		if (!root.isAbsolute()) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The root '" + root + "' is not absolute");
		}
		if (!relative.isEmpty() && !isCanonical(relative)) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH, "The path " + quote(relative)
					+ " is not canonical: use WorkspacePath.canonicalize or WorkspaceFiles.resolve to make it so");
		}
	}

	/**
	 * Converts the path of a file to its canonical form: outer white space is trimmed,
	 * backslashes become slashes, and empty and {@code .} segments are dropped. Case is
	 * preserved. A canonical form is its own canonical form. Invisible characters alone,
	 * such as U+00A0, U+200B or U+FEFF, are no name.
	 * @param path the path as it was written
	 * @return the canonical path, never empty
	 * @throws NullPointerException if {@code path} is null
	 * @throws WorkspacePathException if {@code path} has a segment that is exactly
	 * {@code ..} ({@code path_traversal_blocked}), has a control character, or does not
	 * name a file ({@code invalid_path})
	 */
	public static String canonicalize(String path) {
		String canonical = canonicalizeDirectory(path);
		if (canonical.isEmpty()) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The path " + quote(path) + " names no file: give a path below the workspace root");
		}
		return canonical;
	}

	/**
	 * Converts the path of a directory to its canonical form, as
	 * {@link #canonicalize(String)} does for files, but accepts the root.
	 * @param directory the path as it was written
	 * @return the canonical path, empty for the root
	 * @throws NullPointerException if {@code directory} is null
	 * @throws WorkspacePathException if {@code directory} has a segment that is exactly
	 * {@code ..} ({@code path_traversal_blocked}) or a control character
	 * ({@code invalid_path})
	 */
	public static String canonicalizeDirectory(String directory) {
		Objects.requireNonNull(directory, "path");
		List<String> segments = new ArrayList<>();
		if (isBlank(directory) && !hasControlCharacter(directory.strip())) {
			return "";
		}
		for (String segment : directory.strip().replace('\\', '/').split("/", -1)) {
			String name = segments.isEmpty() ? segment.stripLeading() : segment;
			if (isName(name, directory)) {
				segments.add(name);
			}
		}
		while (!segments.isEmpty()) {
			String last = segments.remove(segments.size() - 1).stripTrailing();
			if (isName(last, directory)) {
				segments.add(last);
				break;
			}
		}
		return String.join("/", segments);
	}

	/**
	 * Returns whether a text consists of white space and invisible characters, such as
	 * U+00A0, U+200B and U+FEFF.
	 * @param text any text
	 * @return true also for the empty text
	 */
	public static boolean isBlank(String text) {
		return text.codePoints()
			.allMatch((c) -> Character.isWhitespace(c) || Character.isSpaceChar(c)
					|| Character.getType(c) == Character.FORMAT);
	}

	/**
	 * Quotes a written path for a message: control characters and invisible ones become
	 * visible, and a long path is shortened in the middle.
	 * @param path any text
	 * @return at most about 200 characters between single quotes
	 */
	public static String quote(String path) {
		String shown = (path.length() <= 200) ? path
				: path.substring(0, 120) + "…" + path.substring(path.length() - 60);
		StringBuilder quoted = new StringBuilder("'");
		shown.chars().forEach((c) -> {
			if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == 0xA0) {
				quoted.append(String.format("\\u%04x", c));
			}
			else {
				quoted.append((char) c);
			}
		});
		return quoted.append('\'').toString();
	}

	/**
	 * Returns whether this is the root itself.
	 * @return true if the relative path is empty
	 */
	public boolean isRoot() {
		return this.relative.isEmpty();
	}

	/**
	 * Returns the last segment.
	 * @return the name, empty for the root
	 */
	public String name() {
		return this.relative.substring(this.relative.lastIndexOf('/') + 1);
	}

	/**
	 * Returns the directory of this path.
	 * @return the parent; the root is its own parent
	 */
	public WorkspacePath parent() {
		int slash = this.relative.lastIndexOf('/');
		return new WorkspacePath(this.root, (slash < 0) ? "" : this.relative.substring(0, slash));
	}

	/**
	 * Returns the path of an entry of this directory.
	 * @param name a single canonical segment
	 * @return the path
	 * @throws WorkspacePathException if the name is not a canonical segment
	 */
	public WorkspacePath child(String name) {
		if (name.isEmpty() || name.indexOf('/') >= 0) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					quote(name) + " is not the name of an entry: give a single segment");
		}
		return new WorkspacePath(this.root, isRoot() ? name : this.relative + "/" + name);
	}

	/**
	 * Returns whether this path is the given one or lies below it, by its text.
	 * @param ancestor a path
	 * @return true if both have the same root and this path starts with the segments of
	 * {@code ancestor}
	 */
	public boolean startsWith(WorkspacePath ancestor) {
		return this.root.equals(ancestor.root) && (ancestor.isRoot() || this.relative.equals(ancestor.relative)
				|| this.relative.startsWith(ancestor.relative + "/"));
	}

	/**
	 * Returns the host path of this path, for sandboxes and messages. Opening it follows
	 * links and bypasses the confinement of the store.
	 * @return an absolute path
	 */
	public Path toPath() {
		return this.root.resolve(this.relative);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		// equal roots are the same object as a rule, which the comparison of paths does
		// not notice
		return other instanceof WorkspacePath path && this.relative.equals(path.relative)
				&& (this.root == path.root || this.root.equals(path.root));
	}

	@Override
	public int hashCode() {
		return 31 * this.root.hashCode() + this.relative.hashCode();
	}

	@Override
	public int compareTo(WorkspacePath other) {
		return ORDER.compare(this, other);
	}

	@Override
	public String toString() {
		return toPath().toString();
	}

	private static boolean isName(String segment, String path) {
		if (segment.equals("..")) {
			throw new WorkspacePathException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
					"The path " + quote(path) + " has a '..' segment: give a path below the workspace root without it");
		}
		if (hasControlCharacter(segment)) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The path " + quote(path) + " has a control character: remove it");
		}
		if (!segment.isBlank() && isBlank(segment)) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The path " + quote(path) + " has a name of invisible characters alone: give a visible name");
		}
		return !segment.isEmpty() && !segment.equals(".");
	}

	private static boolean isCanonical(String relative) {
		int start = 0;
		for (int end = relative.indexOf('/'); end >= 0; end = relative.indexOf('/', start)) {
			if (!isCanonical(relative, start, end)) {
				return false;
			}
			start = end + 1;
		}
		return isCanonical(relative, start, relative.length()) && !hasControlCharacter(relative);
	}

	private static boolean isCanonical(String relative, int start, int end) {
		return switch (end - start) {
			case 0 -> false;
			case 1 -> relative.charAt(start) != '.';
			case 2 -> !relative.startsWith("..", start);
			default -> true;
		};
	}

	private static boolean hasControlCharacter(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isISOControl(text.charAt(i))) {
				return true;
			}
		}
		return false;
	}

}
