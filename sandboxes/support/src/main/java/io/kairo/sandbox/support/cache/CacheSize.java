package io.kairo.sandbox.support.cache;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * Adds the sizes of files and directories until they exceed a maximum. What cannot be
 * read, or is too deep, exceeds every maximum.
 */
final class CacheSize extends SimpleFileVisitor<Path> {

	/** The least size of an entry of a directory. */
	private static final int ENTRY_BYTES = 512;

	/** Each level takes a descriptor while it is measured. */
	private static final int MAX_DEPTH = 100;

	private final long maxBytes;

	private long bytes;

	CacheSize(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	long of(Path directory) throws IOException {
		Files.walkFileTree(directory, Set.of(), MAX_DEPTH, this);
		return this.bytes;
	}

	@Override
	public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
		return add(ENTRY_BYTES);
	}

	@Override
	public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
		// a directory at the maximum depth is not entered
		return attributes.isDirectory() ? tooLarge() : add(attributes.size() + ENTRY_BYTES);
	}

	@Override
	public FileVisitResult visitFileFailed(Path file, IOException failure) {
		return (failure instanceof NoSuchFileException) ? FileVisitResult.CONTINUE : tooLarge();
	}

	private FileVisitResult add(long more) {
		if (more > this.maxBytes - this.bytes) {
			return tooLarge();
		}
		this.bytes += more;
		return FileVisitResult.CONTINUE;
	}

	private FileVisitResult tooLarge() {
		this.bytes = Long.MAX_VALUE;
		return FileVisitResult.TERMINATE;
	}

}
