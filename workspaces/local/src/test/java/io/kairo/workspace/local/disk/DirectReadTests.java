package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.disk.handle.DirectFiles;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for which files are opened directly, with an opener that refuses every descent.
 */
class DirectReadTests {

	private static final String DESCENT = "a descent";

	@TempDir
	Path temp;

	private Path root;

	private LocalFilesOptions options = LocalFilesOptions.DEFAULTS;

	@BeforeEach
	void createRoot() throws IOException {
		assumeThat(LocalWorkspaceFilesFactory.directOpensProblem()).as("SKIPPED: no system calls").isNull();
		this.root = TestWorkspaces.directory(this.temp.toRealPath().resolve("root"));
		TestWorkspaces.file(this.root.resolve("a/b/file"), "text");
	}

	@Test
	void fileIsReadWithoutDescent() {
		assertThat(TestWorkspaces.text(read("a/b/file").value().bytes())).isEqualTo("text");
		assertThat(open().info(path("a/b/file")).value().size()).isEqualTo(4);
	}

	@Test
	void largeFileIsReadWithoutDescent() throws IOException {
		TestWorkspaces.file(this.root.resolve("large"), "x".repeat(3 << 20));
		assertThat(open().read(path("large"), 2 << 20, 7).value().bytes()).hasSize(7);
	}

	@Test
	void stateOutsideOfTheRootChangesNothing() throws IOException {
		this.options = this.options.withStateDirectory(stateDirectory(this.temp.resolve("state")));
		assertThat(read("a/b/file").isOk()).isTrue();
	}

	@Test
	void linksAndOtherEntriesNeedDescent() throws Exception {
		TestWorkspaces.link(this.root.resolve("link"), "a/b/file");
		TestWorkspaces.link(this.root.resolve("links"), "a");
		TestWorkspaces.fifo(this.root.resolve("fifo"));
		for (String path : new String[] { "link", "links/b/file", "fifo", "a", "", "missing", "a/b/file/below" }) {
			assertNeedsDescent(path);
		}
	}

	@Test
	void temporaryNameNeedsDescent() throws IOException {
		String name = ".kairo-" + "0".repeat(32);
		TestWorkspaces.file(this.root.resolve(name), "hidden");
		TestWorkspaces.file(this.root.resolve("a").resolve(name).resolve("file"), "hidden");
		assertNeedsDescent(name);
		assertNeedsDescent("a/" + name + "/file");
	}

	@Test
	void stateDirectoryInTheRootNeedsDescentUnderEveryName() throws IOException {
		Path state = stateDirectory(this.root.resolve("state"));
		TestWorkspaces.file(state.resolve("file"), "hidden");
		this.options = this.options.withStateDirectory(state);
		WorkspaceFiles files = open();
		assertThat(files.read(path("a/b/file"), 0, 9).isOk()).isTrue();
		assertNeedsDescent(files.read(path("state/file"), 0, 9));
		Files.move(state, this.root.resolve("a/moved"));
		assertNeedsDescent(files.read(path("a/moved/file"), 0, 9));
	}

	@Test
	void namesWithoutCaseNeedDescent() {
		this.options = this.options.withNameMatching(NameMatching.CASE_INSENSITIVE);
		assertNeedsDescent("a/b/file");
	}

	@Test
	void descriptorsAreClosed() throws IOException {
		TestWorkspaces.link(this.root.resolve("link"), "a/b/file");
		TestWorkspaces.file(this.root.resolve("large"), "x".repeat(3 << 20));
		WorkspaceFiles files = open();
		long before = descriptors();
		for (int i = 0; i < 100; i++) {
			for (String path : new String[] { "a/b/file", "link", "a", "large" }) {
				files.read(path(path), 0, 9);
				files.info(path(path));
			}
		}
		assertThat(descriptors()).isLessThan(before + 50);
	}

	private static Path stateDirectory(Path directory) throws IOException {
		return Files.createDirectory(directory,
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
	}

	private void assertNeedsDescent(String path) {
		assertNeedsDescent(read(path));
	}

	private static void assertNeedsDescent(WorkspaceResult<?> result) {
		assertThat(TestWorkspaces.failure(result, WorkspaceErrorCode.READ_FAILED).message()).contains(DESCENT);
	}

	private WorkspaceResult<FileContent> read(String path) {
		return open().read(path(path), 0, 9);
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	private WorkspaceFiles open() {
		DirectoryOpener direct = DirectoryOpener.platform(null, true);
		return new LocalWorkspaceFilesFactory(this.options, new DirectoryOpener() {

			@Override
			public OpenDirectory open(Path directory) throws IOException {
				throw new FileSystemException(null, null, DESCENT);
			}

			@Override
			public @Nullable DirectFiles direct() {
				return direct.direct();
			}

		}).open(TestWorkspaces.of(this.root));
	}

	private static long descriptors() throws IOException {
		try (var open = Files.list(Path.of("/proc/self/fd"))) {
			return open.count();
		}
	}

}
