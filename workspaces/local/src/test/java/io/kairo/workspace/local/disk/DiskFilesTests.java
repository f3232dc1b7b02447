package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.RacedException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link DiskFiles}.
 */
class DiskFilesTests extends OneRootFixture {

	Path large(String relative, int size) throws IOException {
		byte[] bytes = new byte[size];
		new Random(1).nextBytes(bytes);
		return Files.write(this.root.resolve(relative), bytes);
	}

	@Nested
	class Reading {

		@Test
		void readReturnsTheRequestedRange() throws IOException {
			file("a/file", "0123456789");
			FileContent content = files.read(path("a/file"), 3, 4).value();
			assertThat(TestWorkspaces.text(content.bytes())).isEqualTo("3456");
			assertThat(content.path()).isEqualTo(path("a/file"));
			assertThat(content.offset()).isEqualTo(3);
			assertThat(content.size()).isEqualTo(10);
			assertThat(content.atEnd()).isFalse();
		}

		@Test
		void readEndsAtTheEndOfTheFile() throws IOException {
			file("file", "0123456789");
			assertThat(files.read(path("file"), 8, Integer.MAX_VALUE).value().bytes()).hasSize(2);
			for (long offset : new long[] { 10, 11, Long.MAX_VALUE }) {
				FileContent beyond = files.read(path("file"), offset, Integer.MAX_VALUE).value();
				assertThat(beyond.bytes()).isEmpty();
				assertThat(beyond.offset()).isEqualTo(offset);
				assertThat(beyond.size()).isEqualTo(10);
			}
		}

		@Test
		void readRefusesNegativeRanges() {
			assertThatIllegalArgumentException().isThrownBy(() -> files.read(path("x"), -1, 1));
			assertThatIllegalArgumentException().isThrownBy(() -> files.read(path("x"), 0, -1));
		}

		@Test
		void readReturnsErrorForDirectory() throws IOException {
			TestWorkspaces.directory(root.resolve("a"));
			TestWorkspaces.failure(files.read(path("a"), 0, 1), WorkspaceErrorCode.IS_A_DIRECTORY);
			TestWorkspaces.failure(files.read(path(""), 0, 1), WorkspaceErrorCode.IS_A_DIRECTORY);
		}

		@Test
		void versionOfSmallFileIsAHashInEveryRange() throws IOException {
			file("file", "hello");
			String expected = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
			assertThat(files.read(path("file"), 0, 5).value().version()).isEqualTo(expected);
			assertThat(files.read(path("file"), 4, 1).value().version()).isEqualTo(expected);
			assertThat(files.info(path("file")).value().version()).isEqualTo(expected);
			large("edge", FileContent.HASHED_SIZE);
			assertThat(files.read(path("edge"), 4, 1).value().version()).startsWith("sha256:");
		}

		@Test
		void versionOfLargeFileIsAHashIfReadAsAWhole() throws IOException {
			Path large = large("large", FileContent.HASHED_SIZE + 1);
			FileContent whole = files.read(path("large"), 0, FileContent.HASHED_SIZE + 1).value();
			assertThat(whole.version()).startsWith("sha256:");
			assertThat(whole.bytes()).isEqualTo(Files.readAllBytes(large));
			assertThat(whole.atEnd()).isTrue();
			FileContent part = files.read(path("large"), 1 << 19, 1 << 18).value();
			assertThat(part.version()).startsWith("stat:" + (FileContent.HASHED_SIZE + 1) + "-");
			assertThat(part.bytes())
				.isEqualTo(Arrays.copyOfRange(Files.readAllBytes(large), 1 << 19, (1 << 19) + (1 << 18)));
			assertThat(files.info(path("large")).value().version()).isEqualTo(part.version());
		}

		@Test
		void versionOfLargeFileChangesWithTheFile() throws IOException {
			Path large = large("large", FileContent.HASHED_SIZE + 1);
			String before = files.info(path("large")).value().version();
			Files.setLastModifiedTime(large, FileTime.from(Instant.ofEpochSecond(1, 1)));
			String touched = files.info(path("large")).value().version();
			Files.write(large, new byte[1], StandardOpenOption.APPEND);
			assertThat(List.of(before, touched, files.info(path("large")).value().version())).doesNotHaveDuplicates();
		}

		@Test
		void emptyFileIsReadAndHasAVersion() throws IOException {
			file("empty", "");
			FileContent content = files.read(path("empty"), 0, 10).value();
			assertThat(content.bytes()).isEmpty();
			assertThat(content.version()).startsWith("sha256:e3b0c442");
		}

		@Test
		void readOpensUnusualNames() throws IOException {
			for (String name : new String[] { "~", " ", "a\\b", "-rf", "日本", "..x", "x".repeat(255), "@output" }) {
				file(name, name);
				assertThat(files.read(path(name), 0, 1000).value().bytes())
					.isEqualTo(name.getBytes(StandardCharsets.UTF_8));
			}
		}

		@Test
		void tryReadFileReadsTextByLogicalPath() throws IOException {
			file("kb/foo.md", "äöü");
			assertThat(files.tryReadFile("/kb\\./foo.md ").value().content()).isEqualTo("äöü");
			assertThat(files.fileExists("kb/foo.md")).isTrue();
			assertThat(files.fileExists("kb")).isFalse();
			assertThat(files.getFilePaths().value()).containsExactly("kb/foo.md");
		}

	}

	@Nested
	class Failing {

		@Test
		void deniedAccessIsReportedWithoutHostPath() {
			files = failing(new AccessDeniedException("/host/path"));
			assertThat(
					TestWorkspaces.failure(files.read(path("a"), 0, 1), WorkspaceErrorCode.PERMISSION_DENIED).message())
				.startsWith("'" + path("a").toPath() + "' cannot be read")
				.doesNotContain("/host/path");
		}

		@Test
		void otherErrorsAreReportedByReasonOnly() {
			files = failing(new FileSystemException("/host/path", null, "Input/output error"));
			assertThat(TestWorkspaces.failure(files.list(path("a"), 1), WorkspaceErrorCode.READ_FAILED).message())
				.contains("(Input/output error)")
				.doesNotContain("host");
		}

		@Test
		void readGivesUpOnEntriesReplacedEachTime() {
			files = failing(new RacedException());
			assertThat(TestWorkspaces.failure(files.info(path("a")), WorkspaceErrorCode.READ_FAILED).message())
				.contains("try again");
		}

		@Test
		void readRetriesTransientErrors() throws IOException {
			file("a", "x");
			AtomicInteger attempts = new AtomicInteger();
			files = open((directory) -> {
				if (attempts.incrementAndGet() < 5) {
					throw new RacedException();
				}
				return DirectoryOpener.platform().open(directory);
			});
			assertThat(files.info(path("a")).value().size()).isOne();
		}

		private WorkspaceFiles failing(IOException failure) {
			return open((directory) -> {
				throw failure;
			});
		}

		private WorkspaceFiles open(DirectoryOpener opener) {
			return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS, opener).open(TestWorkspaces.of(root));
		}

	}

	@Nested
	class Describing {

		@Test
		void infoReturnsTypeSizeTimeAndMode() throws IOException {
			Path file = file("file", "12345");
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
			Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_000, 123_456_789)));
			FileInfo info = files.info(path("file")).value();
			assertThat(info.type()).isEqualTo(FileType.FILE);
			assertThat(info.size()).isEqualTo(5);
			assertThat(info.mode()).isEqualTo("rwxr-x---");
			assertThat(info.modified()).isEqualTo(Instant.ofEpochSecond(1_000, 123_456_789));
		}

		@Test
		void infoReturnsNoSizeOrVersionForDirectory() {
			FileInfo info = files.info(path("")).value();
			assertThat(info.type()).isEqualTo(FileType.DIRECTORY);
			assertThat(info.size()).isZero();
			assertThat(info.version()).isNull();
		}

	}

	@Nested
	class Changing {

		@Test
		void writtenTextIsReadBack() {
			assertThat(files.tryWriteFile("/a//b", "x").value().actualPath()).isEqualTo("a/b");
			assertThat(files.tryReadFile("a/b").value().content()).isEqualTo("x");
			assertThat(files.tryCompareExchange("a/b", "x", "y").value().exchanged()).isTrue();
			assertThat(files.tryCompareExchange("a/b", "x", "z").value().exchanged()).isFalse();
			assertThat(files.tryReadFile("a/b").value().content()).isEqualTo("y");
		}

		@Test
		void pathOfAnotherWorkspaceIsRefused() {
			WorkspacePath foreign = new WorkspacePath(Path.of("/foreign"), "x");
			WorkspacePath own = path("x");
			for (WorkspaceChange change : List.of(new WorkspaceChange.Write(foreign, new byte[0]),
					new WorkspaceChange.CompareExchange(foreign, new byte[0], new byte[0]),
					new WorkspaceChange.CreateDirectory(foreign), new WorkspaceChange.Delete(foreign),
					new WorkspaceChange.Move(own, foreign), new WorkspaceChange.Copy(own, foreign),
					new WorkspaceChange.Batch(List.of(new WorkspaceChange.Delete(foreign))))) {
				assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> files.apply(change));
			}
		}

	}

}
