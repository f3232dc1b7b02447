package io.kairo.tools.file;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * A factory of temporary directories in memory, if a memory file system exists, for tests
 * that sync too many files for a disk.
 */
public final class FastTempDir implements TempDirFactory {

	@Override
	public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws Exception {
		Path memory = Path.of("/dev/shm");
		return Files.isWritable(memory) ? Files.createTempDirectory(memory, "kairo")
				: Files.createTempDirectory("kairo");
	}

}
