package io.kairo.sandbox.support.mount;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.host.HandlePath;
import io.kairo.host.ProcessRoot;

/**
 * An open directory. Entries are created and deleted in this directory, even if another
 * process replaces it or a directory above it in the meantime. Linux only; for use by one
 * thread.
 */
public final class HeldDirectory implements Closeable {

	private final SeekableByteChannel handle;

	private final Path path;

	private HeldDirectory(SeekableByteChannel handle, Path path) {
		this.handle = handle;
		this.path = path;
	}

	/**
	 * Opens a directory.
	 * @param directory its real path, without links
	 * @return the open directory
	 * @throws IOException if it is not a directory, or its path contains a link by now
	 */
	public static HeldDirectory open(Path directory) throws IOException {
		// the dot prevents that anything but a directory is opened, such as a FIFO
		SeekableByteChannel handle = Files.newByteChannel(directory.resolve("."));
		try {
			// the key limits the search; the link below tells whether it was replaced
			Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
			Path path = HandlePath.of(handle, key).path();
			if (path == null) {
				throw new FileSystemException(directory.toString(), null,
						"it was replaced, or its handle was not found");
			}
			if (!Files.readSymbolicLink(path).equals(ProcessRoot.withoutRoot(directory))) {
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
	 * Returns the path of an entry in the directory.
	 * @param name the name of the entry
	 * @return its path, valid until the directory is closed
	 */
	public Path resolve(Path name) {
		return this.path.resolve(name);
	}

	@Override
	public void close() throws IOException {
		this.handle.close();
	}

}
