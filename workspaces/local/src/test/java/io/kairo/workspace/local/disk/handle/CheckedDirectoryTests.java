package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.workspace.local.disk.TestWorkspaces;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CheckedDirectory}: swapped directories are not entered.
 */
class CheckedDirectoryTests {

	@TempDir
	Path temp;

	@Test
	void directoryThatBecameALinkIsNotEntered() throws IOException {
		Path name = Path.of("dir");
		Path root = TestWorkspaces.directory(this.temp.toRealPath().resolve("root"));
		TestWorkspaces.file(root.resolve("dir/secret"), "inside");
		TestWorkspaces.file(this.temp.resolve("outside/secret"), "SECRET");
		try (OpenDirectory top = DirectoryOpener.checked().open(root); OpenDirectory directory = top.directory(name)) {
			Files.move(root.resolve("dir"), root.resolve("parked"));
			TestWorkspaces.link(root.resolve("dir"), this.temp.resolve("outside"));
			assertThatExceptionOfType(RacedException.class).isThrownBy(() -> top.directory(name));
			assertThatExceptionOfType(RacedException.class).isThrownBy(() -> directory.file(Path.of("secret")));
			assertThatExceptionOfType(RacedException.class).isThrownBy(() -> directory.attributes(Path.of("secret")));
		}
	}

}
