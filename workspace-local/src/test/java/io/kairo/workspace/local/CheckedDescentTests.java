package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Descent} by {@link CheckedDirectory}.
 */
class CheckedDescentTests extends AbstractDescentTests {

	@Override
	DirectoryOpener opener() {
		return (directory) -> new CheckedDirectory(directory, directory, Files.newDirectoryStream(directory));
	}

	@Test
	void aDirectoryThatBecameALinkIsNotGoneThrough() throws IOException {
		Path name = Path.of("dir");
		TestWorkspaces.file(this.root.resolve("dir/secret"), "inside");
		try (OpenDirectory top = opener().open(this.root); OpenDirectory directory = top.directory(name)) {
			Files.move(this.root.resolve("dir"), this.root.resolve("parked"));
			TestWorkspaces.link(this.root.resolve("dir"), this.outside);
			assertThatExceptionOfType(RacedException.class).isThrownBy(() -> top.directory(name));
			assertThatExceptionOfType(RacedException.class).isThrownBy(() -> directory.file(Path.of("secret")));
			assertThatExceptionOfType(RacedException.class).isThrownBy(() -> directory.attributes(Path.of("secret")));
		}
	}

}
