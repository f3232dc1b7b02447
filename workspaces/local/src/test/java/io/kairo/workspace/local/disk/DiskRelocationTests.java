package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DiskChanges}: deleting, moving and copying.
 */
class DiskRelocationTests extends AbstractDiskChangesTests {

	@Nested
	class Deleting {

		@Test
		void deleteRemovesFileLinkAndEmptyDirectory() throws IOException {
			Path file = file("file", "x");
			TestWorkspaces.link(root.resolve("link"), "file");
			TestWorkspaces.directory(root.resolve("dir"));
			done(new Delete(path("link")));
			assertThat(file).exists();
			done(new Delete(path("file")));
			done(new Delete(path("dir")));
			assertThat(root).isEmptyDirectory();
			refused(new Delete(path("file")), WorkspaceErrorCode.FILE_NOT_FOUND);
			refused(new Delete(path("a/b")), WorkspaceErrorCode.FILE_NOT_FOUND);
		}

		@Test
		void deleteRemovesTreeOnlyRecursively() throws IOException {
			file("dir/sub/file", "x");
			Path outside = TestWorkspaces.file(temp.resolve("outside/file"), "kept");
			TestWorkspaces.link(root.resolve("dir/out"), outside.getParent());
			refused(new Delete(path("dir")), WorkspaceErrorCode.DIRECTORY_NOT_EMPTY);
			assertThat(root.resolve("dir/sub/file")).exists();
			done(new Delete(path("dir"), Depth.RECURSIVE, null));
			assertThat(root).isEmptyDirectory();
			assertThat(outside).hasContent("kept");
		}

		@Test
		void deleteNeverRemovesARoot() throws IOException {
			Path inner = TestWorkspaces.directory(root.resolve("outer/inner"));
			WorkspaceFiles nested = TestWorkspaces.open(PathPolicy.ROOTS, root, inner);
			refused(new Delete(path(""), Depth.RECURSIVE, null), WorkspaceErrorCode.IS_A_DIRECTORY);
			for (String held : new String[] { "outer", "outer/inner" }) {
				TestWorkspaces.failure(nested.apply(new Delete(path(held), Depth.RECURSIVE, null)),
						WorkspaceErrorCode.PROTECTED_PATH);
				TestWorkspaces.failure(nested.apply(new Move(path(held), path("x"))),
						WorkspaceErrorCode.PROTECTED_PATH);
			}
			TestWorkspaces.failure(nested.apply(new Delete(new WorkspacePath(inner, ""), Depth.RECURSIVE, null)),
					WorkspaceErrorCode.IS_A_DIRECTORY);
			assertThat(inner).exists();
		}

	}

	@Nested
	class Moving {

		@Test
		void moveCreatesParentsOfTarget() throws IOException {
			file("file", "x");
			assertThat(done(new Move(path("file"), path("a/b/file"))))
				.isEqualTo(new ChangeReport.Line(path("a/b/file"), true, FileVersion.ofContent(bytes("x"))));
			assertThat(root.resolve("a/b/file")).hasContent("x");
			assertThat(root.resolve("file")).doesNotExist();
		}

		@Test
		void moveReplacesOnlyAFileAndOnlyWithOverwrite() throws IOException {
			file("from", "from");
			file("to", "to");
			file("dir/file", "x");
			assertThat(refused(new Move(path("from"), path("to")), WorkspaceErrorCode.FILE_EXISTS).message())
				.contains("root/to'");
			refused(new Move(path("from"), path("dir")), WorkspaceErrorCode.FILE_EXISTS);
			refused(new Move(path("from"), path("dir"), Overwrite.REPLACE, null), WorkspaceErrorCode.IS_A_DIRECTORY);
			refused(new Move(path("dir"), path("to"), Overwrite.REPLACE, null), WorkspaceErrorCode.FILE_EXISTS);
			done(new Move(path("from"), path("to"), Overwrite.REPLACE, null));
			assertThat(root.resolve("to")).hasContent("from");
			assertThat(root.resolve("from")).doesNotExist();
		}

		@Test
		void moveRefusesDirectoryIntoItself() throws IOException {
			file("dir/sub/file", "x");
			refused(new Move(path("dir"), path("dir/sub/dir")), WorkspaceErrorCode.WRITE_FAILED);
			done(new Move(path("dir"), path("a/moved")));
			assertThat(root.resolve("a/moved/sub/file")).hasContent("x");
			assertThat(root.resolve("dir")).doesNotExist();
		}

		@Test
		void moveMovesLinkWithoutItsTarget() throws IOException {
			file("file", "x");
			TestWorkspaces.link(root.resolve("link"), "file");
			done(new Move(path("link"), path("moved")));
			assertThat(root.resolve("moved")).isSymbolicLink();
			assertThat(root.resolve("link")).doesNotExist();
			assertThat(root.resolve("file")).hasContent("x");
		}

		@Test
		void moveToItselfChangesNothing() throws IOException {
			file("file", "x");
			refused(new Move(path("file"), path("file")), WorkspaceErrorCode.FILE_EXISTS);
			assertThat(done(new Move(path("file"), path("file"), Overwrite.REPLACE, null)).applied()).isFalse();
			assertThat(root.resolve("file")).hasContent("x");
			refused(new Move(path("gone"), path("other")), WorkspaceErrorCode.FILE_NOT_FOUND);
			refused(new Move(path(""), path("other")), WorkspaceErrorCode.IS_A_DIRECTORY);
		}

		@Test
		void moveCrossesRoots() throws IOException {
			file("dir/file", "x");
			done(new Move(path("dir"), new WorkspacePath(added, "sub/dir")));
			assertThat(added.resolve("sub/dir/file")).hasContent("x");
			assertThat(root.resolve("dir")).doesNotExist();
		}

	}

	@Nested
	class Copying {

		@Test
		void copyKeepsTheModeOfAFile() throws IOException {
			Files.setPosixFilePermissions(file("file", "x"), PosixFilePermissions.fromString("rwxr-x---"));
			assertThat(done(new Copy(path("file"), path("a/copy"))))
				.isEqualTo(new ChangeReport.Line(path("a/copy"), true, FileVersion.ofContent(bytes("x"))));
			assertThat(root.resolve("a/copy")).hasContent("x");
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("a/copy"))))
				.isEqualTo("rwxr-x---");
			refused(new Copy(path("file"), path("a/copy")), WorkspaceErrorCode.FILE_EXISTS);
			refused(new Copy(path("gone"), path("x")), WorkspaceErrorCode.FILE_NOT_FOUND);
			file("file", "y");
			done(new Copy(path("file"), path("a/copy"), Overwrite.REPLACE, null));
			assertThat(root.resolve("a/copy")).hasContent("y");
		}

		@Test
		void copyKeepsTheLinksOfATree() throws IOException {
			file("dir/sub/file", "x");
			TestWorkspaces.link(root.resolve("dir/out"), temp.resolve("outside"));
			refused(new Copy(path("dir"), path("dir/sub/copy")), WorkspaceErrorCode.WRITE_FAILED);
			done(new Copy(path("dir"), new WorkspacePath(added, "copy")));
			assertThat(added.resolve("copy/sub/file")).hasContent("x");
			assertThat(Files.readSymbolicLink(added.resolve("copy/out"))).isEqualTo(temp.resolve("outside"));
			assertThat(root.resolve("dir/sub/file")).hasContent("x");
		}

		@Test
		void copyRefusesTreeWithSpecialFile() throws Exception {
			file("dir/file", "x");
			TestWorkspaces.fifo(root.resolve("dir/fifo"));
			refused(new Copy(path("dir"), path("a/copy")), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			assertThat(root.resolve("a")).doesNotExist();
		}

	}

}
