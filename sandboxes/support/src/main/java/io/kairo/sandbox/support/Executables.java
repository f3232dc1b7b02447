package io.kairo.sandbox.support;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringTokenizer;

import org.jspecify.annotations.Nullable;

/**
 * Finds installed programs.
 */
public final class Executables {

	private Executables() {
	}

	/**
	 * Searches for a program in {@code /usr/bin} and {@code /bin}, then in the search
	 * path.
	 * @param name the name of the program
	 * @return an absolute path, or null
	 */
	public static @Nullable Path find(String name) {
		for (String directory : List.of("/usr/bin", "/bin")) {
			Path candidate = Path.of(directory, name);
			if (Files.isExecutable(candidate)) {
				return candidate;
			}
		}
		String searchPath = System.getenv("PATH");
		StringTokenizer directories = new StringTokenizer((searchPath != null) ? searchPath : "", File.pathSeparator);
		while (directories.hasMoreTokens()) {
			Path candidate = Path.of(directories.nextToken(), name);
			if (candidate.isAbsolute() && Files.isExecutable(candidate)) {
				return candidate;
			}
		}
		return null;
	}

}
