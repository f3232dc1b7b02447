package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The files of a bare repository that both clients read. They are written here, not by
 * {@code git init}, so that no template of the machine contributes to them.
 */
final class StoreFiles {

	/** Names of files that a killed client leaves behind. */
	private static final Pattern LEFT_OVER = Pattern.compile("tmp_.*|incoming_.*|.*\\.lock|.*_tmp");

	/** A default branch that no remote has. */
	static final String UNBORN_HEAD = "ref: refs/heads/kairo-unborn";

	private static final String USED = "used";

	private static final String CONFIG = """
			[core]
				repositoryformatversion = 0
				filemode = true
				bare = true
				symlinks = true
				logallrefupdates = false
			[gc]
				auto = 0
				autoDetach = false
			[http]
				followRedirects = false
			""";

	private StoreFiles() {
	}

	/**
	 * Creates an empty repository. {@code HEAD} is written last, and marks it as
	 * complete.
	 */
	static void create(Path store) throws IOException {
		for (String directory : List.of("objects/info", "objects/pack", "refs/heads", "refs/tags", "fetched")) {
			Files.createDirectories(store.resolve(directory));
		}
		Files.writeString(store.resolve("config"), CONFIG);
		writeHead(store, UNBORN_HEAD);
	}

	/**
	 * Writes the default branch atomically.
	 */
	static void writeHead(Path store, String text) throws IOException {
		Path next = store.resolve("HEAD_tmp");
		Files.writeString(next, text + "\n");
		Files.move(next, store.resolve("HEAD"), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
	}

	/**
	 * Records the current time as the last use of the store.
	 */
	static void markUsed(Path store) throws IOException {
		Path mark = store.resolve(USED);
		if (Files.exists(mark)) {
			Files.setLastModifiedTime(mark, FileTime.from(Instant.now()));
		}
		else {
			Files.createFile(mark);
		}
	}

	/**
	 * Returns whether the store was not used for a time. A store without a recorded use
	 * counts as used when its default branch was written.
	 */
	static boolean isIdle(Path store, Duration idle) throws IOException {
		Path mark = Files.exists(store.resolve(USED)) ? store.resolve(USED) : store.resolve("HEAD");
		return Files.exists(mark) && Files.getLastModifiedTime(mark).toInstant().plus(idle).isBefore(Instant.now());
	}

	/**
	 * Removes the files that a killed client left behind. The caller holds the lock of
	 * the store.
	 */
	static void tidy(Path store) throws IOException {
		Path refs = store.resolve("refs");
		Files.walkFileTree(store, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				String name = file.getFileName().toString();
				if (attributes.isRegularFile() && LEFT_OVER.matcher(name).matches()
						&& (!file.startsWith(refs) || name.endsWith(".lock"))) {
					Files.deleteIfExists(file);
				}
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFileFailed(Path file, IOException ex) throws IOException {
				if (ex instanceof NoSuchFileException) {
					return FileVisitResult.CONTINUE; // files come and go, or there is no
														// store yet
				}
				throw ex;
			}

		});
	}

}
