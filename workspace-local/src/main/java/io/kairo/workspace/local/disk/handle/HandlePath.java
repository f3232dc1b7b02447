package io.kairo.workspace.local.disk.handle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * A path that Linux has for a handle, {@code /proc/self/fd/<number>}. Where Java can make
 * something by path only, it is made by this one in the very directory of the handle,
 * wherever the directory's own path leads by then. Java does not tell the number: it is
 * found by giving the handle a position that no other one has.
 *
 * @param handle a handle of a directory
 * @param path its path; null on other systems
 */
public record HandlePath(SeekableByteChannel handle, @Nullable Path path) implements Closeable {

	private static final Path HANDLES = Path.of("/proc/self/fd");

	private static final Path FACTS = Path.of("/proc/self/fdinfo");

	/**
	 * Finds the path of a handle.
	 * @param handle a handle of a directory that nobody else has
	 * @param key what identifies the directory
	 * @return the path
	 * @throws IOException if the handles cannot be read
	 */
	public static HandlePath of(SeekableByteChannel handle, @Nullable Object key) throws IOException {
		if (!Files.isDirectory(FACTS)) {
			return new HandlePath(handle, null);
		}
		int mark = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
		handle.position(mark);
		try (DirectoryStream<Path> numbers = Files.newDirectoryStream(HANDLES)) {
			for (Path number : numbers) {
				if (leadsTo(number, key) && isAt(FACTS.resolve(number.getFileName()), mark)) {
					return new HandlePath(handle, number);
				}
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return new HandlePath(handle, null);
	}

	private static boolean leadsTo(Path number, @Nullable Object key) {
		try {
			return Objects.equals(Files.readAttributes(number, BasicFileAttributes.class).fileKey(), key);
		}
		catch (IOException ex) {
			return false; // closed by now
		}
	}

	private static boolean isAt(Path facts, int mark) {
		try {
			return Files.readString(facts).startsWith("pos:\t" + mark + "\n");
		}
		catch (IOException ex) {
			return false; // closed by now
		}
	}

	@Override
	public void close() throws IOException {
		this.handle.close();
	}

}
