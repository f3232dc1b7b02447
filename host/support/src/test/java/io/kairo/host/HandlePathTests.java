package io.kairo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HandlePath}.
 */
@EnabledOnOs(OS.LINUX)
class HandlePathTests {

	@TempDir
	Path temp;

	@Test
	void pathRefersToOpenDirectoryAfterItWasReplaced() throws IOException {
		Path directory = Files.createDirectory(this.temp.resolve("directory"));
		Path outside = Files.createDirectory(this.temp.resolve("outside"));
		Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
		for (Object known : new Object[] { key, null }) {
			try (HandlePath handle = HandlePath.of(Files.newByteChannel(directory), known)) {
				Path moved = Files.move(directory, this.temp.resolve("moved"));
				Files.createSymbolicLink(directory, outside);
				assertThat(handle.path()).isNotNull();
				Files.createFile(handle.path().resolve("file" + known));
				assertThat(moved.resolve("file" + known)).isRegularFile();
				assertThat(outside).isEmptyDirectory();
				Files.delete(directory);
				Files.move(moved, directory);
			}
		}
	}

	@Test
	void concurrentCallersFindTheirOwnHandles() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		List<Future<?>> callers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			Path file = Files.createFile(this.temp.resolve("file" + i));
			callers.add(threads.submit(() -> findOften(file)));
		}
		threads.shutdown();
		for (Future<?> caller : callers) {
			caller.get();
		}
	}

	private static Void findOften(Path file) throws IOException {
		for (int i = 0; i < 100; i++) {
			try (HandlePath one = HandlePath.of(Files.newByteChannel(file), null);
					HandlePath other = HandlePath.of(Files.newByteChannel(file), null)) {
				assertThat(one.path()).isNotNull().isNotEqualTo(other.path());
				assertThat(Files.isSameFile(one.path(), file)).isTrue();
				assertThat(Files.isSameFile(other.path(), file)).isTrue();
			}
		}
		return null;
	}

	@Test
	void pathIsNullIfNoHandleHasTheKey() throws IOException {
		Path file = Files.createFile(this.temp.resolve("file"));
		try (HandlePath handle = HandlePath.of(Files.newByteChannel(file), "another key")) {
			assertThat(handle.path()).isNull();
		}
	}

}
