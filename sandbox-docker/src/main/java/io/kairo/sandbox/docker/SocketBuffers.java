package io.kairo.sandbox.docker;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Limits the memory that sockets of a container take. Control groups of version 1 count
 * it apart from other memory, and the engine does not limit it. That requires a JVM which
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
		try (Stream<Path> found = Files.find(this.groups, DEPTH,
				(path, attributes) -> attributes.isDirectory() && path.getFileName().toString().contains(container))) {
			Optional<Path> group = found.findFirst();
			if (group.isPresent()) {
				Files.writeString(group.get().resolve("memory.kmem.tcp.limit_in_bytes"), Long.toString(bytes));
			}
			return group.isPresent();
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.DEBUG, "The buffers of sockets cannot be limited", ex);
			return false;
		}
	}

}
