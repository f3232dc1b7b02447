package io.kairo.sandbox.bubblewrap;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A directory of the host that is held open, so that what is done in it is done there,
 * whatever somebody puts in its place meanwhile. Linux has a path for that,
 * {@code /proc/self/fd/<number>}; Java does not tell the number, so the handle gets a
 * position that no other one has. For use by one thread.
 */
final class HeldDirectory implements Closeable {

	private static final Path HANDLES = Path.of("/proc/self/fd");

	private static final Path FACTS = Path.of("/proc/self/fdinfo");

	private final SeekableByteChannel handle;

	private final Path path;

	private HeldDirectory(SeekableByteChannel handle, Path path) {
		this.handle = handle;
		this.path = path;
	}

	/**
	 * Opens a directory.
	 * @param directory its true path, without links
	 * @throws IOException if there is none, or the path has led elsewhere
	 */
	static HeldDirectory open(Path directory) throws IOException {
		// the dot keeps anything but a directory, such as a FIFO, from being opened
		SeekableByteChannel handle = Files.newByteChannel(directory.resolve("."));
		try {
			Path path = pathOf(handle);
			if (!Files.readSymbolicLink(path).equals(directory)) {
				throw new FileSystemException(directory.toString(), null, "it was replaced");
			}
			return new HeldDirectory(handle, path);
		}
		catch (IOException | RuntimeException ex) {
			handle.close();
			throw ex;
		}
	}

	/**
	 * Returns the path of an entry in it.
	 */
	Path resolve(Path name) {
		return this.path.resolve(name);
	}

	@Override
	public void close() throws IOException {
		this.handle.close();
	}

	private static Path pathOf(SeekableByteChannel handle) throws IOException {
		int mark = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
		handle.position(mark);
		try (DirectoryStream<Path> numbers = Files.newDirectoryStream(FACTS)) {
			for (Path facts : numbers) {
				if (isAt(facts, mark)) {
					return HANDLES.resolve(facts.getFileName());
				}
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		throw new IOException("The handle of a directory was not found in " + FACTS);
	}

	private static boolean isAt(Path facts, int mark) {
		try {
			return Files.readString(facts).startsWith("pos:\t" + mark + "\n");
		}
		catch (IOException ex) {
			return false; // closed by now
		}
	}

}
