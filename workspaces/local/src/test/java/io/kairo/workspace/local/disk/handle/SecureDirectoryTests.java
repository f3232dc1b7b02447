package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.kairo.workspace.local.disk.TestWorkspaces;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link SecureDirectory}: no method follows a link or blocks.
 */
class SecureDirectoryTests {

	@TempDir
	Path temp;

	@Test
	void linkIsNotOpened() throws IOException {
		Path root = TestWorkspaces.directory(this.temp.toRealPath().resolve("root"));
		TestWorkspaces.file(this.temp.resolve("outside/file"), "SECRET");
		Path file = TestWorkspaces.link(root.resolve("file"), "../outside/file").getFileName();
		Path directory = TestWorkspaces.link(root.resolve("directory"), "../outside").getFileName();
		Path dangling = TestWorkspaces.link(root.resolve("dangling"), "../outside/new").getFileName();
		try (OpenDirectory opened = DirectoryOpener.platform().open(root)) {
			assertThat(opened).isInstanceOf(SecureDirectory.class);
			assertThatIOException().isThrownBy(() -> opened.file(file).close());
			assertThatIOException().isThrownBy(() -> opened.directory(directory).close());
			assertThatIOException().isThrownBy(() -> opened.newFile(dangling).close());
			assertThatIOException().isThrownBy(() -> opened.newDirectory(dangling));
		}
		assertThat(this.temp.resolve("outside/new")).doesNotExist();
	}

	@Test
	@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void entryThatBecameAFifoDoesNotBlockForever() throws Exception {
		Path root = this.temp.toRealPath().resolve("root");
		Path fifo = TestWorkspaces.fifo(TestWorkspaces.directory(root).resolve("fifo")).getFileName();
		try (OpenDirectory directory = DirectoryOpener.platform().open(root)) {
			assertThat(directory).isInstanceOf(SecureDirectory.class);
			long start = System.nanoTime();
			assertThatIOException().isThrownBy(() -> directory.directory(fifo));
			assertThat(System.nanoTime() - start).as("was blocked").isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
			assertThatExceptionOfType(RacedException.class).isThrownBy(() -> directory.file(fifo));
		}
	}

}
