package io.kairo.host;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * An open file or directory together with its path {@code /proc/self/fd/<number>} on
 * Linux. Java can create some things by path only; below this path they are created in
 * the very directory that was opened, even if its name leads elsewhere by then. Java does
 * not expose the number of a handle, so it is found by setting a position that no other
 * handle has. Numbers found before are tried first: the kernel assigns the lowest free
 * one, so that they come up again, and the other handles of the JVM need not be read.
 * Instances are not thread-safe.
 *
 * @param handle the open file or directory, used by the caller alone
 * @param path the path of the handle, or null on other systems
 */
public record HandlePath(SeekableByteChannel handle, @Nullable Path path) implements Closeable {

	private static final Path HANDLES = Path.of("/proc/self/fd");

	private static final Path FACTS = Path.of("/proc/self/fdinfo");

	/** Paths found before: guesses that are verified, so threads may overwrite them. */
	private static final @Nullable Path[] GUESSES = new Path[16];

	/**
	 * Finds the path of a handle. Changes the position of the handle.
	 * @param handle an open file or directory that the caller alone uses
	 * @param key the {@linkplain BasicFileAttributes#fileKey() key} of the file or
	 * directory, or null if it is unknown
	 * @return the handle and its path
	 * @throws IOException if the handles of this process cannot be read
	 */
	public static HandlePath of(SeekableByteChannel handle, @Nullable Object key) throws IOException {
		if (!Files.isDirectory(FACTS)) {
			return new HandlePath(handle, null);
		}
		int mark = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
		handle.position(mark);
		Path path = find(guesses(), key, mark);
		if (path == null) {
			try (DirectoryStream<Path> numbers = Files.newDirectoryStream(HANDLES)) {
				path = find(numbers, key, mark);
			}
			catch (DirectoryIteratorException ex) {
				throw ex.getCause();
			}
			GUESSES[mark % GUESSES.length] = path;
		}
		return new HandlePath(handle, path);
	}

	private static List<Path> guesses() {
		List<Path> guesses = new ArrayList<>();
		for (Path guess : GUESSES) {
			if (guess != null) {
				guesses.add(guess);
			}
		}
		return guesses;
	}

	private static @Nullable Path find(Iterable<Path> numbers, @Nullable Object key, int mark) {
		for (Path number : numbers) {
			if (hasKey(number, key) && isAt(FACTS.resolve(number.getFileName()), mark)) {
				return number;
			}
		}
		return null;
	}

	private static boolean hasKey(Path number, @Nullable Object key) {
		try {
			return key == null || key.equals(Files.readAttributes(number, BasicFileAttributes.class).fileKey());
		}
		catch (IOException ex) {
			return false; // closed in the meantime
		}
	}

	private static boolean isAt(Path facts, int mark) {
		try {
			return Files.readString(facts).startsWith("pos:\t" + mark + "\n");
		}
		catch (IOException ex) {
			return false; // closed in the meantime
		}
	}

	@Override
	public void close() throws IOException {
		this.handle.close();
	}

}
