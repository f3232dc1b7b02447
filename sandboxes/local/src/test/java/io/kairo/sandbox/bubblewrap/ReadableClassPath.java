package io.kairo.sandbox.bubblewrap;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A copy of the class path of the tests that is readable by every user, for programs that
 * run as another user. The original may be below a directory that only its owner can
 * access.
 *
 * @param directory the directory of the copy
 * @param entries the copied entries
 */
public record ReadableClassPath(Path directory, List<Path> entries) {

	/**
	 * Copies the class path.
	 * @param directory an empty directory
	 */
	public static ReadableClassPath copy(Path directory) throws IOException {
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		List<Path> entries = new ArrayList<>();
		for (String name : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
			Path entry = Path.of(name);
			if (Files.exists(entry)) {
				Path copy = directory.resolve(entries.size() + "-" + entry.getFileName());
				copy(entry, copy);
				entries.add(copy);
			}
		}
		return new ReadableClassPath(directory, entries);
	}

	private static void copy(Path from, Path to) throws IOException {
		try (Stream<Path> files = Files.walk(from)) {
			files.forEach((file) -> {
				try {
					Files.copy(file, to.resolve(from.relativize(file).toString()));
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
		}
	}

	/**
	 * Returns the command line of a JVM that runs a program.
	 */
	public List<String> commandLine(Class<?> program, String... arguments) {
		List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(),
				"--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto",
				"-cp", String.join(File.pathSeparator, this.entries.stream().map(Path::toString).toList()),
				program.getName()));
		command.addAll(List.of(arguments));
		return command;
	}

}
