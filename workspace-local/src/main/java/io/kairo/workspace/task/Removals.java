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
 * Counts the removals of records, by whatever process, so that none is missed: as long as
 * one is under way there is a mark of it, and then no two answers are the same. A process
 * that is killed leaves its mark. Safe for use by several threads and processes.
 */
final class Removals {

	/** No removal takes that long. */
	private static final Duration ABANDONED = Duration.ofHours(1);

	private static final Logger logger = System.getLogger(Removals.class.getName());

	private final Path counter;

	private final Path marks;

	/** How often somebody asked while a removal was under way. */
	private final AtomicLong askedMeanwhile = new AtomicLong();

	Removals(Path directory) {
		this.counter = directory.resolve("removed");
		this.marks = directory.resolve("removing");
	}

	/**
	 * Removes a record.
	 * @return false if somebody else was faster
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
	 * Returns the number of removals, or while one is under way a number that was never
	 * returned before.
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
	 * Counts what processes that are gone had under way. What cannot be counted now goes
	 * on keeping others from remembering anything.
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
			// nothing was removed yet, or another process has swept
		}
		catch (IOException | DirectoryIteratorException ex) {
			logger.log(Level.DEBUG, "Removals that were interrupted could not be counted", ex);
		}
	}

	/**
	 * Removes something.
	 */
	@FunctionalInterface
	interface Removal {

		boolean run() throws IOException;

	}

}
