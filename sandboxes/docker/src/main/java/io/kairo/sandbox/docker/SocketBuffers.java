package io.kairo.sandbox.docker;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Limits the memory that sockets of a container take. Control groups of version 1 count
 * it apart from other memory, and the engine does not limit it. That requires a JVM that
 * runs as root on the machine of the engine.
 *
 * @param groups the directory of the control groups for memory
 */
record SocketBuffers(Path groups) {

	/** Of the memory of a command. */
	static final int SHARE = 8;

	private static final Logger logger = System.getLogger(SocketBuffers.class.getName());

	/** The engine's parent of its groups, and the parent of that. */
	private static final int DEPTH = 3;

	SocketBuffers() {
		this(Path.of("/sys/fs/cgroup/memory"));
	}

	/**
	 * Limits the sockets of a container.
	 * @param container the ID of a running container
	 * @param bytes the limit
	 * @return whether they are limited now, or part of the limit of memory anyway
	 */
	boolean limit(String container, long bytes) {
		if (!Files.isDirectory(this.groups)) {
			return true;
		}
		try {
			Search search = new Search(container);
			Files.walkFileTree(this.groups, Set.of(), DEPTH, search);
			if (search.found != null) {
				Files.writeString(search.found.resolve("memory.kmem.tcp.limit_in_bytes"), Long.toString(bytes));
			}
			return search.found != null;
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.DEBUG, "The buffers of sockets cannot be limited", ex);
			return false;
		}
	}

	/**
	 * Looks for the group of a container. The groups of others may vanish meanwhile.
	 */
	private static final class Search extends SimpleFileVisitor<Path> {

		private final String container;

		private @Nullable Path found;

		Search(String container) {
			this.container = container;
		}

		@Override
		public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
			return visit(directory);
		}

		@Override
		public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
			// at the greatest depth, directories are visited as files
			return attributes.isDirectory() ? visit(file) : FileVisitResult.CONTINUE;
		}

		@Override
		public FileVisitResult visitFileFailed(Path file, IOException ex) {
			return FileVisitResult.CONTINUE;
		}

		@Override
		public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException ex) {
			return FileVisitResult.CONTINUE;
		}

		private FileVisitResult visit(Path directory) {
			if (!directory.getFileName().toString().contains(this.container)) {
				return FileVisitResult.CONTINUE;
			}
			this.found = directory;
			return FileVisitResult.TERMINATE;
		}

	}

}
