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
 * Makes and removes the files of records, each durably and in one step. What is being
 * written has its place in a directory of its own, so that what a process that was killed
 * left there is found without looking at every record.
 *
 * @param directory where the records are, and that directory
 */
record RecordFiles(Path directory) {

	/** No write takes that long, on a machine whose clock differs a little neither. */
	private static final Duration ABANDONED = Duration.ofHours(1);

	private static final Logger logger = System.getLogger(RecordFiles.class.getName());

	/**
	 * Makes a file that is not there yet.
	 * @param file which one
	 * @param content what is in it
	 * @return false if there is one
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
	 * @return false if it is not there
	 */
	boolean delete(Path file) throws IOException {
		boolean deleted = Files.deleteIfExists(file);
		if (deleted) {
			force(Objects.requireNonNull(file.getParent()));
		}
		return deleted;
	}

	/**
	 * Removes what was being written by processes that are gone. What cannot be removed
	 * is in nobody's way.
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
			// nothing was written yet, or another process has removed it
		}
		catch (IOException | DirectoryIteratorException ex) {
			logger.log(Level.DEBUG, "What was left in the task registry could not be removed", ex);
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
			// A platform that cannot open a directory has no way to make it durable.
		}
	}

}
