package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkingDirectoryFile}.
 */
@Timeout(30)
class WorkingDirectoryFileTests {

	@TempDir
	private Path temp;

	private WorkingDirectoryFile report;

	@BeforeEach
	void createReport() {
		this.report = new WorkingDirectoryFile(this.temp.resolve("report"));
	}

	@Test
	void readReturnsReportedDirectoryUntilFileIsDeleted() throws IOException {
		Path directory = Files.createDirectory(this.temp.resolve("with blank \n and line break"));
		Files.writeString(this.report.file(), directory + "\n");
		assertThat(this.report.existingDirectory()).isEqualTo(directory);
		this.report.delete();
		assertThat(this.report.file()).doesNotExist();
		assertThat(this.report.existingDirectory()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "\n", "relative\n", "/no/such/directory\n", "/etc/passwd\n", "/usr", "/usr\0\n" })
	void readReturnsNullForInvalidDirectory(String content) throws IOException {
		Files.writeString(this.report.file(), content);
		assertThat(this.report.existingDirectory()).isNull();
	}

	@Test
	void readReturnsNullForUndecodableDirectory() throws IOException {
		Files.write(this.report.file(), "/\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
		assertThat(this.report.existingDirectory()).isNull();
	}

	@Test
	void readReturnsNullForLinkPipeAndOversizedFile() throws Exception {
		Files.createSymbolicLink(this.report.file(), Files.writeString(this.temp.resolve("x"), "/usr\n"));
		assertThat(this.report.existingDirectory()).isNull();
		Files.delete(this.report.file());
		new ProcessBuilder("mkfifo", this.report.file().toString()).start().waitFor();
		assertThat(this.report.existingDirectory()).isNull();
		Files.delete(this.report.file());
		Files.write(this.report.file(), new byte[1_000_000]);
		assertThat(this.report.existingDirectory()).isNull();
	}

}
