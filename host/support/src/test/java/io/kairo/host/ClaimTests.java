package io.kairo.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Claim}.
 */
@Timeout(60)
class ClaimTests {

	@TempDir
	Path temp;

	private Claim create() throws IOException {
		return Claim.create(this.temp, ProcessIdentity.current(), ".claim");
	}

	@Test
	void createdFileIsNamedAfterItsOwner() throws IOException {
		try (Claim claim = create()) {
			assertThat(claim.file()).hasParent(this.temp).isEmptyFile();
			assertThat(claim.file().getFileName().toString()).startsWith(ProcessIdentity.current().prefix())
				.endsWith(".claim");
			assertThat(claim.isHeld()).isTrue();
		}
	}

	@Test
	@EnabledOnOs({ OS.LINUX, OS.MAC })
	void createdFileIsAccessibleByItsOwnerOnly() throws IOException {
		try (Claim claim = create()) {
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(claim.file())))
				.isEqualTo("rw-------");
		}
	}

	@Test
	void createDoesNotFollowLink() throws IOException {
		Path target = this.temp.resolve("target");
		Path link = Files.createSymbolicLink(this.temp.resolve("link"), target);
		assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(() -> Claim.create(link));
		assertThat(target).doesNotExist();
		assertThat(link).isSymbolicLink();
	}

	@Test
	void takeOverReturnsNullWhileTheOwnerIsAlive() throws IOException {
		try (Claim claim = create()) {
			assertThat(Claim.takeOver(claim.file())).isNull();
		}
	}

	@Test
	void claimThatWasTakenOverHasContentOfOwner() throws IOException {
		Path file = Files.writeString(this.temp.resolve("left"), "text");
		try (Claim claim = Claim.takeOver(file)) {
			assertThat(claim).isNotNull();
			assertThat(claim.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("text");
			assertThat(claim.readAllBytes()).as("second read").hasSize(4);
			claim.delete();
			assertThat(claim.isHeld()).isFalse();
		}
		assertThat(file).doesNotExist();
	}

	@Test
	void closedClaimCanBeTakenOver() throws IOException {
		Claim claim = create();
		claim.close();
		assertThat(claim.isHeld()).isFalse();
		try (Claim next = Claim.takeOver(claim.file())) {
			assertThat(next).isNotNull();
		}
	}

	@Test
	void claimIsNotHeldAfterItsFileIsGone() throws IOException {
		try (Claim claim = create()) {
			Files.delete(claim.file());
			assertThat(claim.isHeld()).isFalse();
		}
	}

	@Test
	@EnabledOnOs({ OS.LINUX, OS.MAC })
	void takeOverOpensRegularFilesOnly() throws Exception {
		Path fifo = this.temp.resolve("fifo");
		assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
		Path file = Files.createFile(this.temp.resolve("file"));
		Path link = Files.createSymbolicLink(this.temp.resolve("link"), file);
		assertThat(Claim.takeOver(fifo)).isNull();
		assertThat(Claim.takeOver(link)).isNull();
		assertThat(Claim.takeOver(Files.createDirectory(this.temp.resolve("directory")))).isNull();
		assertThat(Claim.takeOver(this.temp.resolve("missing"))).isNull();
	}

	@Test
	void createFailsWithoutDirectory() {
		assertThatExceptionOfType(NoSuchFileException.class)
			.isThrownBy(() -> Claim.create(this.temp.resolve("missing"), ProcessIdentity.current(), ""));
	}

}
