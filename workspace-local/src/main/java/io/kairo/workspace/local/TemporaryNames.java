package io.kairo.workspace.local;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Makes names that nobody can guess, and that are not met by chance.
 */
final class TemporaryNames {

	private static final String PREFIX = ".kairo-";

	private static final int BYTES = 16;

	private final SecureRandom random = new SecureRandom();

	Path next(Path directory) {
		byte[] bytes = new byte[BYTES];
		this.random.nextBytes(bytes);
		return directory.getFileSystem().getPath(PREFIX + HexFormat.of().formatHex(bytes));
	}

	static boolean is(Path name) {
		return name.toString().matches("\\.kairo-[0-9a-f]{32}");
	}

}
