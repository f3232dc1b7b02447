package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Batch;
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
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.Tmpfs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for changes on file systems that are full, read-only or different from that of
 * the root.
 */
@Timeout(60)
class OtherFileSystemTests {

	@TempDir
	Path temp;

	Path root;

	Path mounted;

	WorkspaceFiles files;

	@BeforeEach
	void openFiles() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("root"));
		this.mounted = this.temp.resolve("mounted");
		this.files = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(this.temp.resolve("state")))
			.open(TestWorkspaces.of(this.root, this.mounted));
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	private WorkspacePath there(String relative) {
		return new WorkspacePath(this.mounted, relative);
	}

	private List<String> names(Path directory) throws IOException {
		try (Stream<Path> entries = Files.list(directory)) {
			return entries.map((entry) -> entry.getFileName().toString()).sorted().toList();
		}
	}

	@Test
	void writeToFullDiskChangesNothing() throws Exception {
		try (Tmpfs disk = Tmpfs.mount(this.mounted, "1m")) {
			this.files.apply(new Write(there("file"), new byte[600_000])).value();
			TestWorkspaces.file(this.root.resolve("large"), "x".repeat(600_000));
			for (WorkspaceChange change : List.of(new Write(there("file"), new byte[700_000]),
					new Write(there("a/new"), new byte[700_000]), new Copy(there("file"), there("copy")),
					new Move(path("large"), there("a/large")),
					new Batch(List.of(new Delete(there("file")), new Write(there("new"), new byte[700_000]))))) {
				assertThat(TestWorkspaces.failure(this.files.apply(change), WorkspaceErrorCode.WRITE_FAILED).message())
					.contains("disk is full");
				assertThat(names(disk.path())).containsExactly("file");
				assertThat(disk.path().resolve("file")).hasSize(600_000);
			}
			assertThat(this.root.resolve("large")).hasSize(600_000);
			assertThat(names(this.root)).containsExactly("large");
		}
	}

	@Test
	void writeToReadOnlyFileSystemIsReportedAsReadOnly() throws Exception {
		try (Tmpfs disk = Tmpfs.mount(this.mounted, "1m")) {
			this.files.apply(new Write(there("file"), new byte[1])).value();
			disk.makeReadOnly();
			for (WorkspaceChange change : List.of(new Write(there("file"), new byte[2]),
					new Write(there("a/new"), new byte[2]), new Delete(there("file")),
					new CreateDirectory(there("dir")), new Move(there("file"), there("moved")),
					new Copy(there("file"), there("copy")))) {
				TestWorkspaces.failure(this.files.apply(change), WorkspaceErrorCode.READ_ONLY);
			}
			assertThat(disk.path().resolve("file")).hasSize(1);
		}
	}

	@Test
	void moveToAnotherFileSystemCopiesAndDeletes() throws Exception {
		TestWorkspaces.file(this.root.resolve("dir/sub/file"), "x");
		Files.setPosixFilePermissions(this.root.resolve("dir/sub/file"), PosixFilePermissions.fromString("rwx------"));
		TestWorkspaces.link(this.root.resolve("dir/link"), "sub/file");
		TestWorkspaces.file(this.root.resolve("file"), "new");
		try (Tmpfs disk = Tmpfs.mount(this.mounted, "1m")) {
			TestWorkspaces.file(disk.path().resolve("file"), "old");
			this.files.apply(new Move(path("dir"), there("a/dir"))).value();
			this.files.apply(new Move(path("file"), there("file"), Overwrite.REPLACE, null)).value();
			assertThat(disk.path().resolve("a/dir/link")).hasContent("x");
			assertThat(
					PosixFilePermissions.toString(Files.getPosixFilePermissions(disk.path().resolve("a/dir/sub/file"))))
				.isEqualTo("rwx------");
			assertThat(disk.path().resolve("file")).hasContent("new");
			assertThat(names(this.root)).isEmpty();
			TestWorkspaces.failure(
					this.files.apply(new Batch(List.of(new Move(there("a"), path("a")),
							new Move(there("file"), path("b/file")), new Delete(path("missing"))))),
					WorkspaceErrorCode.FILE_NOT_FOUND);
			assertThat(names(disk.path())).containsExactly("a", "file");
			assertThat(names(this.root)).isEmpty();
		}
	}

	@Test
	void mountsBelowTheRootAcceptFilesAndDirectories() throws Exception {
		TestWorkspaces.file(this.root.resolve("dir/sub/file"), "x");
		try (Tmpfs disk = Tmpfs.mount(this.root.resolve("sub/mounted"), "1m")) {
			this.files.apply(new Write(path("sub/mounted/a/file"), new byte[1])).value();
			this.files.apply(new CreateDirectory(path("sub/mounted/b/c"))).value();
			this.files.apply(new Copy(path("dir"), path("sub/mounted/copy"))).value();
			assertThat(disk.path().resolve("copy/sub/file")).hasContent("x");
			assertThat(disk.path().resolve("b/c")).isEmptyDirectory();
			assertThat(names(disk.path())).containsExactly("a", "b", "copy");
			assertThat(names(this.root)).containsExactly("dir", "sub");
			this.files.apply(new Delete(path("sub/mounted/a"), Depth.RECURSIVE, null)).value();
		}
	}

}
