package io.kairo.workspace.disk.tree;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.workspace.disk.handle.HandlePath;
import org.jspecify.annotations.Nullable;

/**
 * Makes large files share the blocks of others, by the {@code cp} of GNU, as Java has no
 * call for it before its transfers between channels do so by themselves. Given up after
 * the first file for which it does not work. Safe for use by several threads.
 */
final class CloneCommand {

	/** From this size on copying takes longer than to start a process. */
	private static final long LARGE = 16 << 20;

	private static final Set<String> FILE_SYSTEMS = Set.of("btrfs", "xfs", "bcachefs", "ocfs2");

	private static final long PATIENCE_SECONDS = 60;

	private final AtomicBoolean possible;

	private final AtomicBoolean used = new AtomicBoolean();

	private CloneCommand(boolean possible) {
		this.possible = new AtomicBoolean(possible);
	}

	/**
	 * Looks whether files of one directory can be cloned into another one.
	 */
	static CloneCommand between(Path source, Path target) {
		try {
			return new CloneCommand(Files.getFileStore(source).equals(Files.getFileStore(target))
					&& FILE_SYSTEMS.contains(Files.getFileStore(target).type()));
		}
		catch (IOException ex) {
			return new CloneCommand(false);
		}
	}

	/**
	 * Returns the method by which large files were copied.
	 */
	OwnedTree.CopyMethod method() {
		return this.used.get() ? OwnedTree.CopyMethod.CLONE : OwnedTree.CopyMethod.COPY;
	}

	/**
	 * Makes a clone of an open file.
	 * @param key what identifies the file
	 * @param target where nothing is
	 * @return false if nothing is there after all
	 */
	boolean make(FileChannel file, long size, @Nullable Object key, Path target) throws IOException {
		if (size < LARGE || !this.possible.get()) {
			return false;
		}
		// not closed, as the handle is the caller's
		Path handle = HandlePath.of(file, key).path();
		if (handle != null && run(
				Path.of("/proc", String.valueOf(ProcessHandle.current().pid()), "fd", handle.getFileName().toString()),
				target)) {
			this.used.set(true);
			return true;
		}
		this.possible.set(false);
		Files.deleteIfExists(target);
		return false;
	}

	private static boolean run(Path source, Path target) throws IOException {
		Process process;
		try {
			process = new ProcessBuilder("cp", "--reflink=always", "--", source.toString(), target.toString())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			return false; // there is no such command
		}
		try {
			return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("interrupted");
		}
		finally {
			process.destroyForcibly();
		}
	}

}
