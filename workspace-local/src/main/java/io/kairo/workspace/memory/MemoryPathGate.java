package io.kairo.workspace.memory;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * The gate of the logical contract over a root that is only a name: a leading slash, or
 * {@code /workspace}, is the root, a {@code ..} segment is refused, a backslash separates
 * and outer white space is trimmed. Knows nothing of a host. Immutable.
 */
final class MemoryPathGate {

	private static final String ALIAS = "/workspace";

	/** In bytes of UTF-8. */
	private static final int MAX_PATH = 4096;

	/** In bytes of UTF-8. */
	private static final int MAX_NAME = 255;

	private final WorkspacePath root;

	MemoryPathGate(Path root) {
		this.root = new WorkspacePath(root, "");
	}

	WorkspacePath root() {
		return this.root;
	}

	/**
	 * Makes the path of a canonical path below the root.
	 */
	WorkspacePath path(String relative) {
		return new WorkspacePath(this.root.root(), relative);
	}

	/**
	 * Returns the canonical path below the root.
	 * @throws WorkspacePathException if the path is of another store
	 */
	String require(WorkspacePath path) {
		if (!path.root().equals(this.root.root())) {
			throw new WorkspacePathException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED, "The path "
					+ WorkspacePath.quote(path.relative()) + " belongs to another workspace: resolve it in this one");
		}
		return path.relative();
	}

	WorkspacePath resolve(String argument, WorkspacePath cwd) {
		Objects.requireNonNull(argument, "argument");
		String start = require(cwd);
		String path = argument.strip().replace('\\', '/');
		check(argument, path);
		if (path.equals(ALIAS) || path.startsWith(ALIAS + "/")) {
			return below("", path.substring(ALIAS.length()), argument);
		}
		return below(path.startsWith("/") ? "" : start, path, argument);
	}

	private WorkspacePath below(String start, String path, String argument) {
		List<String> names = new ArrayList<>();
		if (!start.isEmpty()) {
			names.add(start);
		}
		for (String name : path.split("/", -1)) {
			if (name.equals("..")) {
				throw new WorkspacePathException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
						"The path " + WorkspacePath.quote(argument)
								+ " has a '..' segment: give a path without it, such as one below " + ALIAS);
			}
			if (length(name) > MAX_NAME) {
				throw invalid(argument, "has a name longer than " + MAX_NAME + " bytes: give a shorter one");
			}
			if (!name.isEmpty() && !name.equals(".")) {
				names.add(name);
			}
		}
		return path(String.join("/", names));
	}

	private static void check(String argument, String path) {
		if (path.isEmpty()) {
			throw invalid(argument, "is blank: give the path of a file or a directory, or '.'");
		}
		if (path.chars().anyMatch(Character::isISOControl)) {
			throw invalid(argument, "has a control character: remove it");
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
			throw invalid(argument, "has half a character that cannot be encoded: remove it");
		}
		if (length(path) > MAX_PATH) {
			throw invalid(argument, "is longer than " + MAX_PATH + " bytes: give a shorter one");
		}
	}

	private static int length(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

	private static WorkspacePathException invalid(String argument, String reason) {
		return new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
				"The path " + WorkspacePath.quote(argument) + " " + reason);
	}

	/**
	 * Spells a path so that {@link #resolve} leads back to it from everywhere.
	 */
	String display(WorkspacePath path) {
		String absolute = "/" + require(path);
		if (path.isRoot()) {
			return ALIAS;
		}
		boolean looksAliased = absolute.equals(ALIAS) || absolute.startsWith(ALIAS + "/");
		return closed(looksAliased ? ALIAS + absolute : absolute);
	}

	/**
	 * Spells a path so that {@link #resolve} leads back to it from a directory.
	 */
	String display(WorkspacePath path, WorkspacePath cwd) {
		require(path);
		require(cwd);
		if (path.equals(cwd)) {
			return ".";
		}
		if (!path.startsWith(cwd)) {
			return display(path);
		}
		String relative = path.relative().substring(cwd.isRoot() ? 0 : cwd.relative().length() + 1);
		boolean plain = !relative.startsWith("@output/") && !Character.isWhitespace(relative.codePointAt(0));
		return closed(plain ? relative : "./" + relative);
	}

	/**
	 * Guards white space at the end from being trimmed.
	 */
	private static String closed(String path) {
		return Character.isWhitespace(path.codePointBefore(path.length())) ? path + "/" : path;
	}

}
