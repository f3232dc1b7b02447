package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens entries and unblocks opens of FIFOs. An open blocks only if an entry became a
 * FIFO after its attributes were read. Such an open ignores interrupts and ends when the
 * other end is opened, which the thread of this class does after 100 milliseconds. The
 * thread ends after 10 seconds without opens.
 * <p>
 * Two opens stay blocked: that of a FIFO that was moved away, and that of a root that was
 * just replaced by a link to a FIFO. The latter FIFO may be outside the roots, so this
 * class does not open it.
 */
final class FifoGuard {

	private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long TICK = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int IDLE_TICKS = 200;

	private final Set<Opening> openings = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean running = new AtomicBoolean();

	/**
	 * Performs an open of an entry of a directory.
	 */
	<T> T open(SecureDirectoryStream<Path> directory, Path name, Open<T> open) throws IOException {
		return open(new InDirectory(directory, name), open);
	}

	/**
	 * Performs an open, and unblocks it if its entry has become a FIFO.
	 */
	<T> T open(Entry entry, Open<T> open) throws IOException {
		Opening opening = new Opening(entry, System.nanoTime());
		this.openings.add(opening);
		if (!this.running.get() && this.running.compareAndSet(false, true)) {
			Thread thread = new Thread(null, this::run, "kairo-fifo-guard", 0, false);
			thread.setDaemon(true);
			thread.start();
		}
		try {
			return open.run();
		}
		finally {
			this.openings.remove(opening);
		}
	}

	private void run() {
		int idle = 0;
		while (true) {
			LockSupport.parkNanos(TICK);
			idle = this.openings.isEmpty() ? idle + 1 : 0;
			this.openings.forEach(Opening::freeIfBlocked);
			if (idle == IDLE_TICKS) {
				this.running.set(false);
				if (this.openings.isEmpty() || !this.running.compareAndSet(false, true)) {
					return;
				}
				idle = 0;
			}
		}
	}

	/**
	 * An open that may block.
	 *
	 * @param <T> the type of the opened object
	 */
	@FunctionalInterface
	interface Open<T> {

		T run() throws IOException;

	}

	/**
	 * An entry to be opened.
	 */
	interface Entry {

		BasicFileAttributes attributes() throws IOException;

		SeekableByteChannel open(Set<OpenOption> options) throws IOException;

	}

	/**
	 * An entry of an open directory.
	 */
	private record InDirectory(SecureDirectoryStream<Path> directory, Path name) implements Entry {

		@Override
		public BasicFileAttributes attributes() throws IOException {
			return this.directory
				.getFileAttributeView(this.name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
				.readAttributes();
		}

		@Override
		public SeekableByteChannel open(Set<OpenOption> options) throws IOException {
			return this.directory.newByteChannel(this.name, options);
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

	/**
	 * An open in progress. Compared by identity, and therefore not a record.
	 */
	private static final class Opening {

		private static final Set<OpenOption> READ_AND_WRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
				LinkOption.NOFOLLOW_LINKS);

		private final Entry entry;

		private final long since;

		Opening(Entry entry, long since) {
			this.entry = entry;
			this.since = since;
		}

		void freeIfBlocked() {
			if (System.nanoTime() - this.since < PATIENCE) {
				return;
			}
			try {
				if (this.entry.attributes().isOther()) {
					this.entry.open(READ_AND_WRITE).close();
				}
			}
			catch (IOException | ClosedDirectoryStreamException | SecurityException ex) {
				// It has gone, or access is denied: the next round tries again.
			}
		}

	}

}
