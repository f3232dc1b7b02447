package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CompareExchange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.OrdinaryUser;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DiskChanges}: writing, exchanging and creating.
 */
class DiskChangesTests extends AbstractDiskChangesTests {

	@Nested
	class Writing {

		@Test
		void writeCreatesFileAndParents() {
			ChangeReport.Line line = done(write("a/b/file", "text"));
			assertThat(root.resolve("a/b/file")).hasContent("text");
			assertThat(line)
				.isEqualTo(new ChangeReport.Line(path("a/b/file"), true, FileVersion.ofContent(bytes("text"))));
		}

		@Test
		void writeReplacesFileAndKeepsItsMode() throws IOException {
			Path file = file("file", "old");
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
			done(write("file", "new"));
			assertThat(file).hasContent("new");
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rwxr-x--x");
		}

		@Test
		void writeDropsSetuidAndSetgid() throws Exception {
			Path file = file("file", "old");
			assertThat(new ProcessBuilder("chmod", "6755", file.toString()).start().waitFor()).isZero();
			done(write("file", "new"));
			assertThat((int) Files.getAttribute(file, "unix:mode") & 07777).isEqualTo(0755);
		}

		@Test
		void writeBreaksHardLinks() throws IOException {
			Path file = file("file", "old");
			Path other = Files.createLink(temp.resolve("other"), file);
			done(write("file", "new"));
			assertThat(file).hasContent("new");
			assertThat(other).hasContent("old");
		}

		@Test
		void writeReportsTheVersionOfALaterRead() {
			for (int size : new int[] { 0, 10, 1 << 20, (1 << 20) + 1 }) {
				ChangeReport.Line line = done(new Write(path("file"), new byte[size]));
				assertThat(line.version()).isEqualTo(files.read(path("file"), 0, 1).value().version());
			}
		}

		@Test
		void writeCreatesMissingRoot() throws IOException {
			Files.delete(root);
			Files.delete(added);
			done(write("a/file", "text"));
			assertThat(root.resolve("a/file")).hasContent("text");
			done(new CreateDirectory(new WorkspacePath(added, "")));
			assertThat(added).isEmptyDirectory();
		}

		@Test
		void writeReachesTheWholeDiskUnderHost() throws IOException {
			WorkspaceFiles everywhere = TestWorkspaces.open(PathPolicy.HOST, root);
			everywhere.apply(new Write(everywhere.resolve(added + "/a/file", everywhere.root()), bytes("x"))).value();
			assertThat(added.resolve("a/file")).hasContent("x");
		}

		@Test
		void writeRefusesEntriesThatAreNotFiles() throws Exception {
			TestWorkspaces.directory(root.resolve("dir"));
			TestWorkspaces.fifo(root.resolve("fifo"));
			file("file", "x");
			refused(write("dir", "x"), WorkspaceErrorCode.IS_A_DIRECTORY);
			refused(new Write(path(""), bytes("x")), WorkspaceErrorCode.IS_A_DIRECTORY);
			refused(write("fifo", "x"), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			refused(write("file/below", "x"), WorkspaceErrorCode.NOT_A_DIRECTORY);
			refused(new CompareExchange(path("fifo"), bytes(""), bytes("x")), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			refused(new Copy(path("fifo"), path("copy")), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			refused(new Copy(path("file"), path("fifo"), Overwrite.REPLACE, null),
					WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			assertThat(root.resolve("copy")).doesNotExist();
		}

		@Test
		void writeReportsDeniedAccess() throws IOException {
			Path dir = TestWorkspaces.file(root.resolve("dir/file"), "old").getParent();
			Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("r-xr-xr-x"));
			try {
				OrdinaryUser.required(!Files.isWritable(dir));
				refused(write("dir/file", "new"), WorkspaceErrorCode.PERMISSION_DENIED);
				refused(new Delete(path("dir/file")), WorkspaceErrorCode.PERMISSION_DENIED);
				refused(new Delete(path("dir"), Depth.RECURSIVE, null), WorkspaceErrorCode.PERMISSION_DENIED);
				refused(new CreateDirectory(path("dir/sub")), WorkspaceErrorCode.PERMISSION_DENIED);
				assertThat(dir.resolve("file")).hasContent("old");
			}
			finally {
				Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
			}
		}

		@Test
		void interruptedThreadFailsAndOthersContinue() throws Exception {
			Thread.currentThread().interrupt();
			WorkspaceResult<ChangeReport> result = files.apply(write("file", "text"));
			assertThat(Thread.interrupted()).isTrue();
			TestWorkspaces.failure(result, WorkspaceErrorCode.WRITE_FAILED);
			assertThat(root).isEmptyDirectory();
			done(write("file", "text"));
		}

	}

	@Nested
	class Versions {

		@Test
		void expectedVersionMustMatch() throws IOException {
			file("file", "old");
			String version = files.info(path("file")).value().version();
			ChangeReport.Line line = done(new Write(path("file"), bytes("new"), version));
			assertThat(
					refused(new Write(path("file"), bytes("newer"), version), WorkspaceErrorCode.STALE_READ).message())
				.contains("read it again");
			refused(new Delete(path("file"), Depth.SINGLE, version), WorkspaceErrorCode.STALE_READ);
			refused(new Move(path("file"), path("x"), Overwrite.REFUSE, version), WorkspaceErrorCode.STALE_READ);
			refused(new Copy(path("file"), path("x"), Overwrite.REFUSE, version), WorkspaceErrorCode.STALE_READ);
			refused(new CompareExchange(path("file"), bytes("new"), bytes("x"), version),
					WorkspaceErrorCode.STALE_READ);
			refused(new Write(path("gone"), bytes("x"), version), WorkspaceErrorCode.STALE_READ);
			done(new Delete(path("file"), Depth.SINGLE, line.version()));
			assertThat(root).isEmptyDirectory();
		}

		@Test
		void versionsOfLargeFilesMatchInEitherForm() throws IOException {
			byte[] large = new byte[(1 << 20) + 7];
			done(new Write(path("file"), large));
			String byFacts = files.read(path("file"), 0, 1).value().version();
			String byContent = files.read(path("file"), 0, large.length).value().version();
			assertThat(byFacts).startsWith("stat:");
			assertThat(byContent).startsWith("sha256:");
			done(new Write(path("file"), large, byFacts));
			refused(new Write(path("file"), large, byFacts), WorkspaceErrorCode.STALE_READ);
			done(new Write(path("file"), new byte[] { 1 }, byContent));
			refused(new Write(path("file"), large, byContent), WorkspaceErrorCode.STALE_READ);
		}

		@Test
		void absentVersionRefusesExistingEntry() throws IOException {
			done(new Write(path("new"), bytes("x"), WorkspaceChange.ABSENT));
			refused(new Write(path("new"), bytes("y"), WorkspaceChange.ABSENT), WorkspaceErrorCode.STALE_READ);
			assertThat(root.resolve("new")).hasContent("x");
		}

	}

	@Nested
	class Exchanging {

		@Test
		void compareExchangeReplacesOnlyTheExpectedContent() throws IOException {
			file("file", "old");
			assertThat(done(new CompareExchange(path("file"), bytes("old"), bytes("new"))))
				.isEqualTo(new ChangeReport.Line(path("file"), true, FileVersion.ofContent(bytes("new"))));
			assertThat(done(new CompareExchange(path("file"), bytes("old"), bytes("newer"))))
				.isEqualTo(new ChangeReport.Line(path("file"), false, FileVersion.ofContent(bytes("new"))));
			assertThat(root.resolve("file")).hasContent("new");
		}

		@Test
		void compareExchangeFailsForMissingFile() throws IOException {
			refused(new CompareExchange(path("gone"), bytes(""), bytes("x")), WorkspaceErrorCode.FILE_NOT_FOUND);
			refused(new CompareExchange(path("a/gone"), bytes(""), bytes("x")), WorkspaceErrorCode.FILE_NOT_FOUND);
			assertThat(root).isEmptyDirectory();
		}

		@Test
		void compareExchangeMismatchFailsItsBatch() throws IOException {
			file("file", "old");
			refused(new Batch(
					List.of(write("other", "x"), new CompareExchange(path("file"), bytes("not it"), bytes("new")))),
					WorkspaceErrorCode.STALE_READ);
			assertThat(root.resolve("other")).doesNotExist();
			assertThat(root.resolve("file")).hasContent("old");
		}

	}

	@Nested
	class CreatingDirectories {

		@Test
		void createDirectoryCreatesParents() {
			assertThat(done(new CreateDirectory(path("a/b/c"))).applied()).isTrue();
			assertThat(root.resolve("a/b/c")).isEmptyDirectory();
			assertThat(done(new CreateDirectory(path("a/b"))).applied()).isFalse();
			assertThat(done(new CreateDirectory(path(""))).applied()).isFalse();
		}

		@Test
		void createDirectoryRefusesExistingFile() throws IOException {
			file("file", "x");
			refused(new CreateDirectory(path("file")), WorkspaceErrorCode.FILE_EXISTS);
			refused(new CreateDirectory(path("file/a")), WorkspaceErrorCode.NOT_A_DIRECTORY);
		}

	}

}
