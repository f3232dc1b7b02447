package io.kairo.workspace.local.disk;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Creates temporary names that cannot be guessed and do not occur by chance.
 */
final class TemporaryNames {

	private static final String PREFIX = ".kairo-";

	private static final int BYTES = 16;

	private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}");

	private final SecureRandom random = new SecureRandom();

	Path next(Path directory) {
		byte[] bytes = new byte[BYTES];
		this.random.nextBytes(bytes);
		return directory.getFileSystem().getPath(PREFIX + HexFormat.of().formatHex(bytes));
	}

	/**
	 * Returns whether a name is temporary. Entries with such names are hidden from a
	 * workspace.
	 */
	static boolean is(Path name) {
		return is(name.toString());
	}

	/**
	 * Returns whether a name is temporary.
	 */
	static boolean is(String text) {
		return text.startsWith(PREFIX) && DIGITS.matcher(text).region(PREFIX.length(), text.length()).matches();
	}

}
