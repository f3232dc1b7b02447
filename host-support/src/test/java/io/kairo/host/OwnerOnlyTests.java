package io.kairo.host;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OwnerOnly}.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
class OwnerOnlyTests {

	@TempDir
	Path temp;

	private static String mode(Path path) throws IOException {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

	@Test
	void attributesRestrictAccessToOwner() throws IOException {
		Path directory = this.temp.resolve("directory");
		Path file = this.temp.resolve("file");
		assertThat(mode(Files.createDirectory(directory, OwnerOnly.directory(directory)))).isEqualTo("rwx------");
		assertThat(mode(Files.createFile(file, OwnerOnly.file(file)))).isEqualTo("rw-------");
	}

	@Test
	void createDirectoryGivesDefaultPermissionsToDirectoriesAbove() throws IOException {
		String usual = mode(Files.createDirectory(this.temp.resolve("usual")));
		Path directory = this.temp.resolve("above/directory");
		assertThat(OwnerOnly.createDirectory(directory)).isEqualTo(directory);
		assertThat(mode(directory)).isEqualTo("rwx------");
		assertThat(mode(this.temp.resolve("above"))).isEqualTo(usual);
	}

	@Test
	void createDirectoriesRestrictsDirectoriesAbove() throws IOException {
		Path directory = this.temp.resolve("above/directory");
		assertThat(OwnerOnly.createDirectories(directory)).isEqualTo(directory);
		assertThat(mode(directory)).isEqualTo("rwx------");
		assertThat(mode(this.temp.resolve("above"))).isEqualTo("rwx------");
	}

	@Test
	void existingDirectoryIsNotChanged() throws IOException {
		Path existing = Files.createDirectory(this.temp.resolve("existing"));
		Files.setPosixFilePermissions(existing, PosixFilePermissions.fromString("rwxr-x---"));
		Path link = Files.createSymbolicLink(this.temp.resolve("link"), existing);
		OwnerOnly.createDirectory(existing);
		OwnerOnly.createDirectories(link);
		OwnerOnly.createDirectory(link.resolve("below"));
		assertThat(mode(existing)).isEqualTo("rwxr-x---");
		assertThat(existing.resolve("below")).isDirectory();
	}

	@Test
	void fileInPlaceOfDirectoryIsRefused() throws IOException {
		Path file = Files.createFile(this.temp.resolve("file"));
		Path dangling = Files.createSymbolicLink(this.temp.resolve("link"), this.temp.resolve("missing"));
		for (Path path : new Path[] { file, dangling }) {
			assertThatExceptionOfType(FileAlreadyExistsException.class)
				.isThrownBy(() -> OwnerOnly.createDirectory(path));
			assertThatExceptionOfType(FileAlreadyExistsException.class)
				.isThrownBy(() -> OwnerOnly.createDirectories(path));
		}
		assertThat(this.temp.resolve("missing")).doesNotExist();
	}

}
