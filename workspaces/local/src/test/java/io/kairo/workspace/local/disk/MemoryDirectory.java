package io.kairo.workspace.local.disk;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates temporary directories in memory if there is such a file system, so that tests
 * with thousands of changes need not wait for a disk.
 */
public final class MemoryDirectory implements TempDirFactory {

	private static final Path MEMORY = Path.of("/dev/shm");

	@Override
	public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws Exception {
		return Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, "kairo")
				: Files.createTempDirectory("kairo");
	}

}
