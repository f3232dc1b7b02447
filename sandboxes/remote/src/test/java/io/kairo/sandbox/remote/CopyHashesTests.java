package io.kairo.sandbox.remote;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;

import io.kairo.host.Sha256;
import io.kairo.sandbox.support.copy.CopiedEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link CopyHashes}.
 */
@EnabledOnOs(OS.LINUX)
class CopyHashesTests {

	private final CopyHashes hashes = new CopyHashes();

	@TempDir
	Path directory;

	private String hash(Path file, Path read) throws IOException {
		return HexFormat.of().formatHex(this.hashes.hash(file, CopiedEntry.of(file), read));
	}

	@Test
	void unchangedFileIsNotReadAgainOnceItIsOldEnough() throws IOException {
		Path file = Files.writeString(this.directory.resolve("file"), "content");
		Path other = Files.writeString(this.directory.resolve("other"), "CONTENT");
		String hash = Sha256.hex("content".getBytes());
		assertThat(hash(file, file)).isEqualTo(hash);
		assertThat(hash(file, other)).as("a file that was changed just now is read again").isNotEqualTo(hash);
		await().pollDelay(Duration.ofMillis(2500)).until(() -> hash(file, file).equals(hash));
		assertThat(hash(file, other)).isEqualTo(hash);
		Files.writeString(file, "changed");
		assertThat(hash(file, file)).isEqualTo(Sha256.hex("changed".getBytes()));
	}

	@Test
	void onlyAsManyBytesAreReadAsTheFileHad() throws IOException {
		Path file = Files.writeString(this.directory.resolve("file"), "content");
		CopiedEntry entry = CopiedEntry.of(file);
		Files.writeString(file, "content and more");
		assertThat(HexFormat.of().formatHex(this.hashes.hash(file, entry, file)))
			.isEqualTo(Sha256.hex("content".getBytes()));
		Files.writeString(file, "short");
		assertThatExceptionOfType(CopyTransfer.ChangedException.class)
			.isThrownBy(() -> this.hashes.hash(file, entry, file));
	}

}
