package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;

import io.kairo.linux.NativeLinux;
import io.kairo.linux.OpenFile;
import io.kairo.linux.SystemCallException;
import org.jspecify.annotations.Nullable;

/**
 * Opens files by one system call, which follows no link anywhere on the path. That cannot
 * be raced, and never waits for a FIFO or a lease. Safe for use by several threads.
 */
public final class DirectFiles {

	private final NativeLinux linux;

	private DirectFiles(NativeLinux linux) {
		this.linux = linux;
	}

	/**
	 * Returns what opens files directly.
	 * @return null if this JVM or the kernel cannot
	 */
	static @Nullable DirectFiles find() {
		return Found.FILES;
	}

	private static @Nullable DirectFiles create() {
		NativeLinux linux = NativeLinux.find();
		if (linux.problem() != null) {
			return null;
		}
		try {
			OpenFile.open(linux, Path.of("/")).close();
			return new DirectFiles(linux);
		}
		catch (SystemCallException ex) {
			return null; // an old kernel, or a filter of system calls
		}
	}

	/**
	 * Reads the attributes of an entry.
	 * @param path the path, of which the last name is not followed if it is a link
	 * @return the attributes
	 * @throws IOException if there is no such entry, or it cannot be reached
	 */
	public PosixFileAttributes attributes(Path path) throws IOException {
		return new StatusAttributes(OpenFile.status(this.linux, path));
	}

	/**
	 * Opens a file for reading. One that is not seekable, since it is not a regular file,
	 * cannot be read.
	 * @param path the path, on which no link is followed
	 * @return the open file, to be closed by the caller
	 * @throws IOException if there is a link on the path, or it cannot be opened
	 */
	public DirectFile open(Path path) throws IOException {
		return new DirectFile(OpenFile.open(this.linux, path));
	}

	/**
	 * What was found on the first use.
	 */
	private static final class Found {

		private static final @Nullable DirectFiles FILES = create();

	}

}
