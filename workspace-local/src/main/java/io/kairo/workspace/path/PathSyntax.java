package io.kairo.workspace.path;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * What holds for the text of a path under every policy.
 */
public final class PathSyntax {

	/** In bytes of UTF-8, as the operating system has it. */
	static final int MAX_PATH = 4096;

	/** In bytes of UTF-8, as most file systems have it. */
	static final int MAX_NAME = 255;

	/** How many names a path has below a root: as deep as anything walks. */
	public static final int MAX_NAMES = 256;

	private static final Pattern WINDOWS_DEVICE = Pattern
		.compile("(?i)(con|prn|aux|nul|conin\\$|conout\\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])[ ]*([.:].*)?");

	private PathSyntax() {
	}

	/**
	 * Checks a path.
	 * @param written as it was written, for the message
	 * @param path the same with slashes for separators
	 */
	static void check(String written, String path) {
		if (path.isBlank()) {
			throw invalid(written, "is blank: give the path of a file or a directory, or '.'");
		}
		if (path.chars().anyMatch(Character::isISOControl)) {
			throw invalid(written, "has a control character: remove it");
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(path)) {
			throw invalid(written, "has half a character that cannot be encoded: remove it");
		}
		if (length(path) > MAX_PATH) {
			throw invalid(written, "is longer than " + MAX_PATH + " bytes: give a shorter one");
		}
		for (String name : path.split("/", -1)) {
			if (length(name) > MAX_NAME) {
				throw invalid(written, "has a name longer than " + MAX_NAME + " bytes: give a shorter one");
			}
		}
	}

	/**
	 * Checks a path as a whole, whatever it was composed of.
	 */
	static void checkBounds(WorkspacePath path) {
		if (namesOf(path) > MAX_NAMES) {
			throw invalid(path.relative(), "has more than " + MAX_NAMES + " names: give a place that is less deep");
		}
		if (!isShort(path)) {
			throw invalid(path.relative(),
					"is longer than " + MAX_PATH + " bytes with what it is in: give a shorter one");
		}
	}

	/**
	 * Returns whether the absolute path could be an argument, looking closely only where
	 * it is long.
	 */
	public static boolean isShort(WorkspacePath path) {
		return 3 * path.relative().length() < MAX_PATH / 2 || length(path.toString()) <= MAX_PATH;
	}

	static boolean fits(WorkspacePath path) {
		return namesOf(path) <= MAX_NAMES && isShort(path);
	}

	static int namesOf(WorkspacePath path) {
		return path.isRoot() ? 0 : 1 + (int) path.relative().chars().filter((c) -> c == '/').count();
	}

	static int length(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

	/**
	 * Parses a path as the operating system spells it.
	 */
	static Path parse(FileSystem fileSystem, String path) {
		try {
			return fileSystem.getPath(path);
		}
		catch (InvalidPathException ex) {
			throw invalid(path, "cannot be a path on this system: use other characters");
		}
	}

	/**
	 * Parses the name of an entry: what comes out is safe to be opened in a directory.
	 */
	static Path parseName(FileSystem fileSystem, String name) {
		Path parsed = parse(fileSystem, name);
		boolean device = fileSystem.getSeparator().equals("\\") && isWindowsDevice(name);
		if (!isName(parsed) || device) {
			throw invalid(name, "cannot be a name on this system: use other characters");
		}
		return parsed;
	}

	/**
	 * Returns whether Windows opens a device by this name, in whatever directory.
	 */
	static boolean isWindowsDevice(String name) {
		return WINDOWS_DEVICE.matcher(name).matches();
	}

	/**
	 * Makes a relative path safe from being taken for something else: tools read
	 * {@code @output/} as a place of its own.
	 */
	static String plain(String relative) {
		return (relative.startsWith("@output/") || relative.isBlank()) ? "./" + relative : relative;
	}

	static WorkspacePathException foreign(WorkspacePath path) {
		return traversal(path.relative(), "belongs to another workspace: resolve it in this one");
	}

	static boolean isName(Path path) {
		String text = path.toString();
		return path.getRoot() == null && path.getNameCount() == 1 && !text.isEmpty() && !text.equals(".")
				&& !text.equals("..");
	}

	static WorkspacePathException invalid(String path, String reason) {
		return new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
				"The path " + WorkspacePath.quote(path) + " " + reason);
	}

	static WorkspacePathException traversal(String path, String reason) {
		return new WorkspacePathException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
				"The path " + WorkspacePath.quote(path) + " " + reason);
	}

}
