package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link HeldDirectory}.
 */
@EnabledOnOs(OS.LINUX)
class HeldDirectoryTests {

	@TempDir
	Path temp;

	private Path held;

	private Path outside;

	@BeforeEach
	void createDirectories() throws IOException {
		this.held = Files.createDirectory(this.temp.toRealPath().resolve("held"));
		this.outside = Files.createDirectory(this.held.resolveSibling("outside"));
	}

	@Test
	void entriesAreCreatedAndDeletedInTheOpenDirectoryAfterItIsReplaced() throws IOException {
		try (HeldDirectory directory = HeldDirectory.open(this.held)) {
			Path moved = Files.move(this.held, this.held.resolveSibling("moved"));
			Files.createSymbolicLink(this.held, this.outside);
			Files.createFile(directory.resolve(Path.of("file")));
			Files.createDirectory(directory.resolve(Path.of("directory")));
			assertThat(this.outside).isEmptyDirectory();
			assertThat(moved.resolve("file")).isRegularFile();
			assertThat(moved.resolve("directory")).isDirectory();
			Files.createFile(this.outside.resolve("file"));
			Files.delete(directory.resolve(Path.of("file")));
			assertThat(this.outside.resolve("file")).exists();
			assertThat(moved.resolve("file")).doesNotExist();
		}
	}

	@Test
	void openRefusesPathWithSymbolicLink() throws IOException {
		Path link = Files.createSymbolicLink(this.held.resolveSibling("link"), this.outside);
		Files.createDirectory(this.outside.resolve("below"));
		assertThatIOException().isThrownBy(() -> HeldDirectory.open(link)).withMessageContaining("was replaced");
		assertThatIOException().isThrownBy(() -> HeldDirectory.open(link.resolve("below")))
			.withMessageContaining("was replaced");
	}

	@Test
	@Timeout(60)
	void openRefusesEverythingExceptDirectories() throws Exception {
		Path fifo = this.held.resolve("fifo");
		assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
		assertThatIOException().isThrownBy(() -> HeldDirectory.open(fifo));
		assertThatIOException().isThrownBy(() -> HeldDirectory.open(Files.createFile(this.held.resolve("file"))));
		assertThatIOException().isThrownBy(() -> HeldDirectory.open(this.held.resolve("none")));
	}

}
