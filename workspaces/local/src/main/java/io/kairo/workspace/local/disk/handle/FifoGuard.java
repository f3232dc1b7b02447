package io.kairo.workspace.local.disk.handle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * Opens entries of workspaces that other processes change at the same time. An open
 * blocks if the entry became a FIFO after its attributes were read, and ignores
 * interrupts. Therefore every open is {@link AbandonableTask}, and the {@link OpenWatch}
 * unblocks it, or gives it up with its thread.
 *
 * @param watch observes the opens
 * @param threads performs the opens of other threads
 * @param workspace the workspace; opens that do not return are counted for it
 */
record FifoGuard(OpenWatch watch, AbandonableThreads threads, Path workspace) {

	/**
	 * An entry that may be another one by now, perhaps outside the roots. An open of it
	 * is only given up.
	 */
	static final Entry NOT_UNBLOCKED = new ByPath(Path.of("."));

	/**
	 * Creates a guard for no particular workspace.
	 */
	static FifoGuard create() {
		return create(OpenWatch.REMEMBERED_ROUNDS);
	}

	static FifoGuard create(int rememberedRounds) {
		AbandonableThreads threads = new AbandonableThreads();
		return new FifoGuard(new OpenWatch(threads, rememberedRounds), threads, Path.of(""));
	}

	/**
	 * Returns this guard for a workspace.
	 */
	FifoGuard of(Path workspace) {
		return new FifoGuard(this.watch, this.threads, workspace);
	}

	/**
	 * Performs an operation: on this thread if it may be lost, else on another one.
	 * @throws StuckOpenException if an open of the operation does not return
	 */
	<T> T call(DirectoryOpener.Operation<T> operation) throws IOException {
		return (AbandonableThreads.currentWork() != null) ? operation.run() : this.threads.call(operation);
	}

	/**
	 * Performs an open: on this thread if it is abandonable, else on another one.
	 * @throws StuckOpenException if it does not return, or too many others do not
	 */
	<T extends Closeable> T open(Entry entry, DirectoryOpener.Operation<T> open) throws IOException {
		AbandonableTask work = AbandonableThreads.currentWork();
		return (work != null) ? this.watch.open(new Opening(entry, this.workspace, work.failure()), open)
				: call(() -> open(entry, open));
	}

	/**
	 * An entry to be opened.
	 */
	interface Entry {

		BasicFileAttributes attributes() throws IOException;

		SeekableByteChannel open(Set<OpenOption> options) throws IOException;

		/**
		 * Keeps the directory of the entry open while an open is given up.
		 * @param more 1 when an open is given up, -1 when it has returned
		 */
		default void retain(int more) {
		}

	}

	/**
	 * The entry at a path.
	 */
	record ByPath(Path path) implements Entry {

		@Override
		public BasicFileAttributes attributes() throws IOException {
			return Files.readAttributes(this.path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
		}

		@Override
		public SeekableByteChannel open(Set<OpenOption> options) throws IOException {
			return Files.newByteChannel(this.path, options);
		}

	}

}
