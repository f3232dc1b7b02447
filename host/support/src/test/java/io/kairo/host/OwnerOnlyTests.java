package io.kairo.host;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

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

	@Test
	void requireRefusesLinksAndWhatOthersCanChange() throws IOException {
		Path directory = Files.createDirectory(this.temp.resolve("directory"));
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		OwnerOnly.require(directory);
		Path link = Files.createSymbolicLink(this.temp.resolve("link"), directory);
		assertThatIOException().isThrownBy(() -> OwnerOnly.require(link)).withMessageContaining("symbolic link");
		for (String open : List.of("rwxrwxr-x", "rwxr-xrwx")) {
			Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(open));
			assertThatIOException().isThrownBy(() -> OwnerOnly.require(directory)).withMessageContaining("chmod go-w");
		}
		assertThatExceptionOfType(NoSuchFileException.class)
			.isThrownBy(() -> OwnerOnly.require(this.temp.resolve("missing")));
	}

	@Test
	void requireRefusesWhatBelongsToAnotherUser() throws IOException {
		Path own = Files.createFile(this.temp.resolve("own"));
		boolean root = Integer.valueOf(0).equals(Files.getAttribute(own, "unix:uid"));
		if (root) {
			Files.setAttribute(own, "unix:uid", 65534);
		}
		Path foreign = root ? own : Path.of("/");
		assertThatIOException().isThrownBy(() -> OwnerOnly.require(foreign))
			.withMessageContaining("the user of the application");
	}

}
