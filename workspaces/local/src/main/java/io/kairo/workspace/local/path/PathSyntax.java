package io.kairo.workspace.local.path;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * The rules for the text of a path that apply under every policy.
 */
public final class PathSyntax {

	/** Maximum length of a path in bytes of UTF-8, as in the operating system. */
	static final int MAX_PATH = 4096;

	/** Maximum length of a name in bytes of UTF-8, as in most file systems. */
	static final int MAX_NAME = 255;

	/** Maximum number of names below a root, and maximum depth of a walk. */
	public static final int MAX_NAMES = 256;

	private static final Pattern WINDOWS_DEVICE = Pattern
		.compile("(?i)(con|prn|aux|nul|conin\\$|conout\\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])[ ]*([.:].*)?");

	private PathSyntax() {
	}

	/**
	 * Checks the text of a path.
	 * @param written the text as it was written, for the message
	 * @param path the same text with slashes as separators
	 */
	static void check(String written, String path) {
		if (WorkspacePath.isBlank(path)) {
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
	 * Checks the number of names and the length of a path.
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
	 * Returns whether the absolute path is short enough to be an argument. Only long
	 * paths are encoded to find out.
	 * @param path any path
	 * @return false if it has more than {@link #MAX_PATH} bytes
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
	 * Returns the charset of the names of files in this JVM, as given by the locale that
	 * it was started in.
	 * @return the charset
	 */
	public static Charset charset() {
		String name = System.getProperty("sun.jnu.encoding", "UTF-8");
		return Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
	}

	/**
	 * Parses a path in the spelling of the operating system.
	 */
	static Path parse(FileSystem fileSystem, String path) {
		try {
			return fileSystem.getPath(path);
		}
		catch (InvalidPathException ex) {
			throw invalid(path, charset().newEncoder().canEncode(path)
					? "cannot be a path on this system: use other characters"
					: "cannot be encoded in " + charset() + ", the charset of file names in the locale of this "
							+ "application: use other characters, or start the application with LC_ALL=C.UTF-8");
		}
	}

	/**
	 * Parses the name of an entry. The result is safe to be opened in a directory.
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
	 * Returns whether Windows opens a device by this name in any directory.
	 */
	static boolean isWindowsDevice(String name) {
		return WINDOWS_DEVICE.matcher(name).matches();
	}

	/**
	 * Spells a relative path so that it is not blank.
	 */
	static String plain(String relative) {
		return WorkspacePath.isBlank(relative) ? "./" + relative : relative;
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
