package io.kairo.workspace.s3;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * The keys that can be paths of files and back.
 */
final class KeySyntax {

	private static final int MAX_NAME = 255;

	/** Names that the disk store keeps for itself. */
	private static final Pattern RESERVED = Pattern.compile("\\.kairo-[0-9a-f]{32}");

	private KeySyntax() {
	}

	/**
	 * Returns the reason that a key cannot be a path.
	 * @param key the key without the prefix of the workspace
	 * @return the reason, null if it can
	 */
	static @Nullable String problem(String key) {
		if (key.isEmpty() || key.endsWith("/")) {
			return "ends with a slash";
		}
		if (key.chars().anyMatch((c) -> Character.isISOControl(c) || c == '\\')) {
			return "has a control character or a backslash";
		}
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(key) || !PathSyntax.charset().newEncoder().canEncode(key)) {
			return "has a character that cannot be in the name of a file here";
		}
		String[] names = key.split("/", -1);
		if (names.length > PathSyntax.MAX_NAMES) {
			return "has more than " + PathSyntax.MAX_NAMES + " names";
		}
		for (String name : names) {
			String problem = problemOfName(name);
			if (problem != null) {
				return problem;
			}
		}
		return null;
	}

	private static @Nullable String problemOfName(String name) {
		if (name.isEmpty()) {
			return "has an empty name between slashes";
		}
		if (name.equals(".") || name.equals("..")) {
			return "has the name " + name;
		}
		if (name.isBlank()) {
			return "has a blank name";
		}
		if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME) {
			return "has a name longer than " + MAX_NAME + " bytes";
		}
		return isReserved(name) ? "has a name that the disk store keeps for itself" : null;
	}

	static boolean isReserved(String name) {
		return RESERVED.matcher(name).matches();
	}

	/**
	 * Returns the directory that a path is in.
	 * @return the path of the directory, empty for the root
	 */
	static String parent(String path) {
		return path.substring(0, Math.max(0, path.lastIndexOf('/')));
	}

	/**
	 * Returns the path of an entry of a directory.
	 */
	static String child(String directory, String name) {
		return directory.isEmpty() ? name : directory + "/" + name;
	}

}
