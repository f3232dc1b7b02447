package io.kairo.api.workspace.tck;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Ranges of files, attributes of entries, and versions.
 */
abstract class ReadingContract extends ContractPart {

	ReadingContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	private static String hash(String text) throws NoSuchAlgorithmException {
		return "sha256:" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes(text)));
	}

	@ParameterizedTest
	@CsvSource({ "0, 3, alp, false", "3, 2, ha, true", "2, 2, ph, false", "0, 5, alpha, true", "1, 1000, lpha, true",
			"5, 10, '', true", "1000, 10, '', true", "0, 0, '', false", "4, 2147483647, a, true",
			"9223372036854775807, 1, '', true" })
	void readReturnsOnlyAvailableBytes(long offset, int length, String expected, boolean atEnd) throws Exception {
		FileContent content = this.files.read(path("a.txt"), offset, length).value();
		assertThat(string(content.bytes())).isEqualTo(expected);
		assertThat(content.path()).isEqualTo(path("a.txt"));
		assertThat(content.offset()).isEqualTo(offset);
		assertThat(content.size()).isEqualTo(5);
		assertThat(content.version()).isEqualTo(hash("alpha"));
		assertThat(content.atEnd()).isEqualTo(atEnd);
	}

	@Test
	void readRefusesNegativeOffsetOrLength() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.read(path("a.txt"), -1, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.read(path("a.txt"), 0, -1));
	}

	@Test
	void changingReturnedBytesDoesNotChangeFile() {
		this.files.read(path("a.txt"), 0, 5).value().bytes()[0] = 'X';
		assertThat(text("a.txt")).isEqualTo("alpha");
	}

	@Test
	void readFailsForDirectoryAndMissingFile() {
		assertFailed(this.files.read(path("missing"), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFailed(this.files.read(path("missing/x"), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFailed(this.files.read(path("kb"), 0, 1), WorkspaceErrorCode.IS_A_DIRECTORY);
		assertFailed(this.files.read(root(), 0, 1), WorkspaceErrorCode.IS_A_DIRECTORY);
		assertFailed(this.files.read(path("a.txt/below"), 0, 1), WorkspaceErrorCode.NOT_A_DIRECTORY,
				WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFailed(this.files.info(path("missing")), WorkspaceErrorCode.FILE_NOT_FOUND);
	}

	@Test
	void infoDescribesFile() throws Exception {
		FileInfo info = this.files.info(path("a.txt")).value();
		assertThat(info.path()).isEqualTo(path("a.txt"));
		assertThat(info.type()).isEqualTo(FileType.FILE);
		assertThat(info.size()).isEqualTo(5);
		assertThat(info.modified()).isNotNull();
		assertThat(info.version()).isEqualTo(hash("alpha"));
	}

	@Test
	void infoDescribesDirectoryWithoutVersion() {
		for (FileInfo info : new FileInfo[] { this.files.info(path("kb")).value(), this.files.info(root()).value() }) {
			assertThat(info.type()).isEqualTo(FileType.DIRECTORY);
			assertThat(info.size()).isZero();
			assertThat(info.version()).isNull();
		}
	}

	@Test
	void versionsAreEqualOnlyForEqualContent() {
		this.files.tryWriteFile("twin", "alpha");
		assertThat(version("twin")).isEqualTo(version("a.txt"));
		this.files.tryWriteFile("twin", "alphb");
		assertThat(version("twin")).isNotEqualTo(version("a.txt"));
		this.files.tryWriteFile("twin", "alpha");
		assertThat(version("twin")).isEqualTo(version("a.txt"));
	}

	@Test
	void versionOfLargeFileIsStableUntilChange() {
		String large = "x".repeat(FileContent.HASHED_SIZE) + "end";
		this.files.tryWriteFile("large", large);
		FileContent window = this.files.read(path("large"), FileContent.HASHED_SIZE, 100).value();
		assertThat(string(window.bytes())).isEqualTo("end");
		assertThat(window.atEnd()).isTrue();
		assertThat(this.files.read(path("large"), 0, 10).value().version()).isEqualTo(window.version());
		assertThat(this.files.info(path("large")).value().version()).isEqualTo(window.version());
		assertThat(this.files.apply(Changes.write(path("large"), large + "!", window.version())).isOk()).isTrue();
		assertFailed(this.files.apply(Changes.write(path("large"), large, window.version())),
				WorkspaceErrorCode.STALE_READ);
		assertThat(text("large")).isEqualTo(large + "!");
	}

	@Test
	void bytesThatAreNotTextAreReadableOnlyAsBytes() {
		byte[] bytes = { 0, (byte) 0xFF, (byte) 0xFE, 10, 13 };
		this.files.apply(new WorkspaceChange.Write(path("bytes"), bytes.clone())).value();
		assertThat(this.files.tryReadBytes("bytes").value()).isEqualTo(bytes);
		assertFailed(this.files.tryReadFile("bytes"), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
	}

}
