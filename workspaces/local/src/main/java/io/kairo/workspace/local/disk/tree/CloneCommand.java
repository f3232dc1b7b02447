package io.kairo.workspace.local.disk.tree;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.host.HandlePath;
import org.jspecify.annotations.Nullable;

/**
 * Clones large files, so that they share blocks, with GNU {@code cp}: Java offers no call
 * for it in versions whose channel transfers do not clone by themselves. Disabled after
 * the first failure. Safe for use by several threads.
 */
final class CloneCommand {

	/** Minimum size of a file whose copying takes longer than starting a process. */
	private static final long LARGE = 16 << 20;

	private static final Set<String> FILE_SYSTEMS = Set.of("btrfs", "xfs", "bcachefs", "ocfs2");

	private static final long PATIENCE_SECONDS = 60;

	private final AtomicBoolean possible;

	private final AtomicBoolean used = new AtomicBoolean();

	private CloneCommand(boolean possible) {
		this.possible = new AtomicBoolean(possible);
	}

	/**
	 * Returns a command for files of one directory that are copied to another one,
	 * disabled if the file system cannot clone.
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
	 * Returns the method of copying large files.
	 */
	OwnedTree.CopyMethod method() {
		return this.used.get() ? OwnedTree.CopyMethod.CLONE : OwnedTree.CopyMethod.COPY;
	}

	/**
	 * Clones an open file.
	 * @param key the file key
	 * @param target the path of the clone; it must not exist
	 * @return whether the clone was created
	 */
	boolean make(FileChannel file, long size, @Nullable Object key, Path target) throws IOException {
		if (size < LARGE || !this.possible.get()) {
			return false;
		}
		// not closed, as the handle belongs to the caller
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
			return false; // the command does not exist
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
