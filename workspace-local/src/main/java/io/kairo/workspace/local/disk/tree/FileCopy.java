package io.kairo.workspace.local.disk.tree;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.disk.RefusedException;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Copies single files into a new directory. Safe for use by several threads.
 */
final class FileCopy {

	private static final long CHUNK = 1 << 24;

	private final CloneCommand clones;

	FileCopy(CloneCommand clones) {
		this.clones = clones;
	}

	OwnedTree.CopyMethod method() {
		return this.clones.method();
	}

	/**
	 * Copies a file up to the size in its attributes.
	 * @param path its name in messages
	 */
	void copy(OpenDirectory source, Path name, String path, BasicFileAttributes attributes, Path target)
			throws RefusedException {
		try (SeekableByteChannel in = open(source, name, path)) {
			if (in != null) {
				write((FileChannel) in, attributes, target);
			}
		}
		catch (IOException ex) {
			throw RefusedException.notWritten(ex);
		}
	}

	private static @Nullable SeekableByteChannel open(OpenDirectory source, Path name, String path)
			throws RefusedException {
		try {
			return source.file(name);
		}
		catch (NoSuchFileException ex) {
			return null; // gone meanwhile
		}
		catch (IOException ex) {
			throw unreadable(path, ex);
		}
	}

	private void write(FileChannel in, BasicFileAttributes attributes, Path target) throws IOException {
		if (!this.clones.make(in, attributes.size(), attributes.fileKey(), target)) {
			transfer(in, attributes.size(), target);
		}
		assume(target, attributes);
	}

	private static void transfer(FileChannel in, long size, Path target) throws IOException {
		try (FileChannel out = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
			for (long position = 0, count = 1; count > 0 && position < size; position += count) {
				count = in.transferTo(position, Math.min(CHUNK, size - position), out);
			}
		}
	}

	/**
	 * Gives a copy the modification time and the permissions of the original.
	 */
	static void assume(Path copy, BasicFileAttributes like) throws IOException {
		Files.getFileAttributeView(copy, BasicFileAttributeView.class)
			.setTimes(like.lastModifiedTime(), like.lastModifiedTime(), null);
		if (like instanceof PosixFileAttributes posix) {
			Files.setPosixFilePermissions(copy, posix.permissions());
		}
	}

	static RefusedException unreadable(String path, IOException cause) {
		RefusedException failed = RefusedException.failed(cause);
		return RefusedException.of(failed.code(), "cannot be copied, as "
				+ WorkspacePath.quote(path.isEmpty() ? "." : path.substring(1)) + " in it " + failed.reason());
	}

}
