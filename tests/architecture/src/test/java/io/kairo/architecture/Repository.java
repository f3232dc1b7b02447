package io.kairo.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The source tree under test.
 *
 * @param root the directory that contains both builds
 */
public record Repository(Path root) {

	private static final Set<String> NOT_SOURCE = Set.of(".git", ".gradle", ".idea", ".settings", ".vscode", "bin",
			"build", "node_modules", "target");

	/**
	 * Finds the source tree from the working directory, which can be that of any module.
	 */
	public static Repository find() {
		Path start = Path.of("").toAbsolutePath();
		for (Path directory = start; directory != null; directory = directory.getParent()) {
			if (Files.isRegularFile(directory.resolve("settings.gradle.kts"))) {
				return new Repository(directory);
			}
		}
		throw new IllegalStateException("Neither " + start + " nor a directory above it contains settings.gradle.kts: "
				+ "run the tests inside the repository");
	}

	/**
	 * Returns the text of a file.
	 */
	public String read(String path) {
		try {
			return Files.readString(this.root.resolve(path));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the sorted paths, relative to the root, of all files that match the filter
	 * and are not build output.
	 */
	public List<Path> files(Predicate<Path> filter) {
		try (Stream<Path> children = children(this.root)) {
			return children.map(this.root::relativize).filter(filter).sorted().toList();
		}
	}

	private static Stream<Path> children(Path directory) {
		try (Stream<Path> entries = Files.list(directory)) {
			return entries.toList().stream().flatMap((entry) -> {
				if (!Files.isDirectory(entry)) {
					return Stream.of(entry);
				}
				return NOT_SOURCE.contains(entry.getFileName().toString()) ? Stream.empty() : children(entry);
			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
