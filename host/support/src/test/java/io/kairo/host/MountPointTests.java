package io.kairo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MountPoint}.
 */
class MountPointTests {

	@Test
	void markIsKeptUntilSomethingIsCreatedInDirectory(@TempDir Path directory) throws IOException {
		Path point = Files.createDirectory(directory.resolve("point"));
		assertThat(MountPoint.isMarked(point)).isFalse();
		MountPoint.mark(point);
		assertThat(MountPoint.isMarked(point)).isTrue();
		Files.createFile(point.resolve("file"));
		assertThat(MountPoint.isMarked(point)).isFalse();
	}

	@Test
	void onlyDirectoryIsMarked(@TempDir Path directory) throws IOException {
		Path point = Files.createDirectory(directory.resolve("point"));
		MountPoint.mark(point);
		Path file = Files.createFile(directory.resolve("file"));
		MountPoint.mark(file);
		assertThat(MountPoint.isMarked(file)).isFalse();
		assertThat(MountPoint.isMarked(Files.createSymbolicLink(directory.resolve("link"), point))).isFalse();
		assertThat(MountPoint.isMarked(directory.resolve("missing"))).isFalse();
	}

}
