package io.kairo.workspace.task;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the removals of records by all processes. A removal in progress has a marker
 * file; while there is one, each query returns a different number, so that no removal is
 * missed. A killed process leaves its marker. Safe for use by several threads and
 * processes.
 */
final class Removals {

	/** Minimum age of an abandoned marker, well above the time of a removal. */
	private static final Duration ABANDONED = Duration.ofHours(1);

	private static final Logger logger = System.getLogger(Removals.class.getName());

	private final Path counter;

	private final Path marks;

	/** Number of queries during removals. */
	private final AtomicLong askedMeanwhile = new AtomicLong();

	Removals(Path directory) {
		this.counter = directory.resolve("removed");
		this.marks = directory.resolve("removing");
	}

	/**
	 * Removes a record.
	 * @return false if a concurrent call was faster
	 */
	boolean perform(Removal removal) throws IOException {
		Files.createDirectories(this.marks);
		Path mark = Files.createFile(this.marks.resolve(UUID.randomUUID().toString()));
		boolean removed = removal.run();
		if (removed) {
			add();
		}
		Files.deleteIfExists(mark);
		return removed;
	}

	private void add() throws IOException {
		Files.write(this.counter, new byte[] { '\n' }, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
	}

	/**
	 * Returns the number of removals or, while one is in progress, a number that was
	 * never returned before.
	 */
	long count() throws IOException {
		if (isUnderWay()) {
			return -this.askedMeanwhile.incrementAndGet();
		}
		try {
			return Files.size(this.counter);
		}
		catch (NoSuchFileException ex) {
			return 0;
		}
	}

	private boolean isUnderWay() throws IOException {
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(this.marks)) {
			return entries.iterator().hasNext();
		}
		catch (NoSuchFileException ex) {
			return false;
		}
	}

	/**
	 * Counts the interrupted removals of processes that have ended. A marker that cannot
	 * be removed keeps disabling caches.
	 */
	void sweep() {
		Instant abandoned = Instant.now().minus(ABANDONED);
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(this.marks)) {
			for (Path mark : entries) {
				if (Files.getLastModifiedTime(mark, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(abandoned)) {
					add();
					Files.deleteIfExists(mark);
				}
			}
		}
		catch (NoSuchFileException ex) {
			// No record was removed yet, or another process has swept.
		}
		catch (IOException | DirectoryIteratorException ex) {
			logger.log(Level.DEBUG, "Interrupted removals could not be counted", ex);
		}
	}

	/**
	 * The removal of a record.
	 */
	@FunctionalInterface
	interface Removal {

		boolean run() throws IOException;

	}

}
