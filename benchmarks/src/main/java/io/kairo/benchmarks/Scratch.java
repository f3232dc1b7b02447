package io.kairo.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory that is gone afterwards.
 */
final class Scratch implements AutoCloseable {

	private final Path directory;

	Scratch(Path parent) throws IOException {
		this.directory = Files.createTempDirectory(parent, "kairo-benchmarks-").toRealPath();
	}

	Path directory() {
		return this.directory;
	}

	/**
	 * Makes a directory in it.
	 */
	Path directory(String name) throws IOException {
		return Files.createDirectories(this.directory.resolve(name));
	}

	/**
	 * Makes a directory with small files in it, a hundred in a directory.
	 */
	Path tree(String name, int files) throws IOException {
		Path tree = directory(name);
		for (int i = 0; i < files; i++) {
			Path parent = tree.resolve("d" + (i / 1000)).resolve("e" + (i / 100));
			if (i % 100 == 0) {
				Files.createDirectories(parent);
			}
			Files.writeString(parent.resolve("File" + i + ".java"), "class File" + i + " {}\n");
		}
		return tree;
	}

	@Override
	public void close() throws IOException {
		try (Stream<Path> paths = Files.walk(this.directory)) {
			paths.sorted(Comparator.reverseOrder()).forEach(Scratch::delete);
		}
	}

	private static void delete(Path path) {
		try {
			Files.delete(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
