package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;

import io.kairo.linux.DirectoryHandle;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.OpenFile;
import org.jspecify.annotations.Nullable;

/**
 * Opens files by one system call. It follows no link anywhere on the path, cannot be
 * raced, and never waits for a FIFO or a lease. Safe for use by several threads.
 */
public final class DirectFiles {

	private final NativeLinux linux;

	private DirectFiles(NativeLinux linux) {
		this.linux = linux;
	}

	/**
	 * Returns the opener of files by direct system calls.
	 * @return null if there is a {@link #problem()}
	 */
	static @Nullable DirectFiles find() {
		return Found.FILES;
	}

	/**
	 * Returns the problem that prevents files from being opened directly.
	 * @return the problem, or null if there is none
	 */
	public static @Nullable String problem() {
		return Found.PROBLEM;
	}

	/**
	 * Reads the attributes of an entry.
	 * @param path the path; its last name is not followed if it is a link
	 * @return the attributes
	 * @throws IOException if there is no such entry, or it cannot be reached
	 */
	public PosixFileAttributes attributes(Path path) throws IOException {
		return new StatusAttributes(OpenFile.status(this.linux, path));
	}

	/**
	 * Opens a file for reading. A file that is not seekable, since it is not a regular
	 * one, cannot be read.
	 * @param path the path; no link in it is followed
	 * @return the open file, to be closed by the caller
	 * @throws IOException if there is a link on the path, or it cannot be opened
	 */
	public DirectFile open(Path path) throws IOException {
		return new DirectFile(OpenFile.open(this.linux, path));
	}

	/**
	 * Opens a directory once more, to list it directly.
	 * @param directory the open directory; it stays open
	 * @param fifoGuard performs opens that may not return
	 * @return the same directory, to be closed by the caller
	 * @throws RacedException if its path denotes another directory by now
	 * @throws IOException if there is a link on the path, or it cannot be opened
	 */
	ListedDirectory listed(OpenDirectory directory, FifoGuard fifoGuard) throws IOException {
		Path path = directory.path();
		DirectoryHandle opened = fifoGuard.open(FifoGuard.NOT_UNBLOCKED, () -> DirectoryHandle.open(this.linux, path));
		try {
			Object key = new StatusAttributes(opened.status()).fileKey();
			if (!key.toString().equals(String.valueOf(directory.self().fileKey()))) {
				throw new RacedException();
			}
			return new DirectDirectory(path, opened, fifoGuard);
		}
		catch (IOException | Error ex) {
			opened.close();
			throw ex;
		}
	}

	/**
	 * Holder of the opener. It is looked up on the first use.
	 */
	private static final class Found {

		private static final @Nullable String PROBLEM = problem();

		private static final @Nullable DirectFiles FILES = (PROBLEM == null) ? new DirectFiles(NativeLinux.find())
				: null;

		private static @Nullable String problem() {
			try {
				NativeLinux linux = NativeLinux.find();
				if (linux.problem() == null) {
					OpenFile.open(linux, Path.of("/")).close();
				}
				return linux.problem();
			}
			catch (NoClassDefFoundError ex) {
				return "kairo-linux-native is not on the class path: add it";
			}
			catch (IOException ex) {
				return "the kernel is older than Linux 5.6, or a filter denies its calls (" + ex.getMessage() + ")";
			}
		}

	}

}
