package io.kairo.workspace.task;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

import io.kairo.host.OwnerOnly;

/**
 * Creates and removes the files of records, each durably and in one step. Drafts are
 * written in a separate directory, so that drafts of killed processes are found without
 * reading every record.
 *
 * @param directory the directory of the records and of the drafts
 */
record RecordFiles(Path directory) {

	/**
	 * Minimum age of an abandoned draft, well above the time of a write and the
	 * difference of clocks.
	 */
	private static final Duration ABANDONED = Duration.ofHours(1);

	private static final Logger logger = System.getLogger(RecordFiles.class.getName());

	/**
	 * Creates a file.
	 * @param file the file
	 * @param content its content
	 * @return false if it exists already
	 */
	boolean create(Path file, String content) throws IOException {
		Path parent = Objects.requireNonNull(file.getParent());
		OwnerOnly.createDirectories(parent);
		OwnerOnly.createDirectories(drafts());
		Path draft = drafts().resolve(UUID.randomUUID().toString());
		try {
			write(draft, content);
			Files.createLink(file, draft);
		}
		catch (FileAlreadyExistsException ex) {
			return false;
		}
		finally {
			Files.deleteIfExists(draft);
		}
		force(parent);
		return true;
	}

	/**
	 * Removes a file.
	 * @return false if it does not exist
	 */
	boolean delete(Path file) throws IOException {
		boolean deleted = Files.deleteIfExists(file);
		if (deleted) {
			force(Objects.requireNonNull(file.getParent()));
		}
		return deleted;
	}

	/**
	 * Removes the drafts of processes that have ended. A draft that cannot be removed
	 * does no harm.
	 */
	void sweep() {
		Instant abandoned = Instant.now().minus(ABANDONED);
		try (DirectoryStream<Path> drafts = Files.newDirectoryStream(drafts())) {
			for (Path draft : drafts) {
				if (Files.getLastModifiedTime(draft, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(abandoned)) {
					Files.deleteIfExists(draft);
				}
			}
		}
		catch (NoSuchFileException ex) {
			// No record was written yet, or another process has removed the draft.
		}
		catch (IOException | DirectoryIteratorException ex) {
			logger.log(Level.DEBUG, "Drafts left in the task registry could not be removed", ex);
		}
	}

	private Path drafts() {
		return this.directory.resolve("new");
	}

	private static void write(Path file, String content) throws IOException {
		ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
			while (bytes.hasRemaining()) {
				channel.write(bytes);
			}
			channel.force(true);
		}
	}

	private static void force(Path directory) {
		try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
			channel.force(true);
		}
		catch (IOException ex) {
			// A platform that cannot open a directory cannot make it durable.
		}
	}

}
