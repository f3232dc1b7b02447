package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a bare repository that both clients read: made here, so that nothing is in
 * them that a template of the machine puts there.
 */
final class StoreFiles {

	/** What a client that was killed leaves. */
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
			[http]
				followRedirects = false
			""";

	private StoreFiles() {
	}

	/**
	 * Makes a repository without anything in it. It is one as soon as it has a
	 * {@code HEAD}, which comes last.
	 */
	static void create(Path store) throws IOException {
		for (String directory : List.of("objects/info", "objects/pack", "refs/heads", "refs/tags", "fetched")) {
			Files.createDirectories(store.resolve(directory));
		}
		Files.writeString(store.resolve("config"), CONFIG);
		writeHead(store, UNBORN_HEAD);
	}

	/**
	 * Writes what the default branch is, all at once.
	 */
	static void writeHead(Path store, String text) throws IOException {
		Path next = store.resolve("HEAD_tmp");
		Files.writeString(next, text + "\n");
		Files.move(next, store.resolve("HEAD"), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
	}

	/**
	 * Notes that somebody needs the store now.
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
	 * Returns whether nobody has needed the store for so long. One that was never marked
	 * is as old as its default branch.
	 */
	static boolean isIdle(Path store, Duration idle) throws IOException {
		Path mark = Files.exists(store.resolve(USED)) ? store.resolve(USED) : store.resolve("HEAD");
		return Files.exists(mark) && Files.getLastModifiedTime(mark).toInstant().plus(idle).isBefore(Instant.now());
	}

	/**
	 * Removes what a client left that was killed. Nobody else may write meanwhile.
	 */
	static void tidy(Path store) throws IOException {
		try (Stream<Path> files = Files.walk(store)) {
			for (Path file : files.filter((path) -> LEFT_OVER.matcher(path.getFileName().toString()).matches())
				.filter(Files::isRegularFile)
				.filter((path) -> !path.startsWith(store.resolve("refs")) || path.toString().endsWith(".lock"))
				.toList()) {
				Files.deleteIfExists(file);
			}
		}
		catch (NoSuchFileException ex) {
			// There is no store yet.
		}
	}

}
