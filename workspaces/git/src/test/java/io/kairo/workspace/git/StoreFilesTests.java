package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoreFiles}.
 */
class StoreFilesTests {

	@TempDir
	private Path directory;

	@Test
	void tidyToleratesFilesThatVanish() throws Exception {
		Path store = this.directory.resolve("shop.git");
		StoreFiles.create(store);
		for (int i = 0; i < 500; i++) {
			Files.createFile(store.resolve("gc" + i + ".lock"));
		}
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			Future<?> tidied = other.submit(() -> {
				StoreFiles.tidy(store);
				return null;
			});
			StoreFiles.tidy(store);
			tidied.get();
		}
		finally {
			other.shutdownNow();
		}
		assertThat(store).isDirectoryNotContaining("glob:**.lock").isDirectoryContaining("glob:**/config");
	}

	@Test
	void tidyKeepsRefsWithNamesOfTemporaryFiles() throws IOException {
		Path store = this.directory.resolve("shop.git");
		StoreFiles.create(store);
		Path ref = Files.createFile(store.resolve("refs/heads/tmp_work"));
		Path lock = Files.createFile(store.resolve("refs/heads/main.lock"));
		StoreFiles.tidy(store);
		assertThat(ref).exists();
		assertThat(lock).doesNotExist();
	}

	@Test
	void tidyAcceptsMissingStore() throws IOException {
		Path store = this.directory.resolve("shop.git");
		StoreFiles.tidy(store);
		assertThat(store).doesNotExist();
	}

}
