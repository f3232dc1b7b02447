package io.kairo.tools.file;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes temporary directories in memory, where there is such a file system, for tests
 * that make more files durable than a disk likes.
 */
public final class FastTempDir implements TempDirFactory {

	@Override
	public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws Exception {
		Path memory = Path.of("/dev/shm");
		return Files.isWritable(memory) ? Files.createTempDirectory(memory, "kairo")
				: Files.createTempDirectory("kairo");
	}

}
