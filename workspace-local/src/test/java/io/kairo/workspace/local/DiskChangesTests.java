package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DiskChanges}: what each change does, and what it refuses.
 */
@Timeout(60)
class DiskChangesTests {

	@TempDir
	Path temp;

	Path root;

	Path added;

	WorkspaceFiles files;

	@BeforeEach
	void openFiles() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("root"));
		this.added = TestWorkspaces.directory(this.temp.resolve("added"));
		this.files = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(this.temp.resolve("state")), opener())
			.open(TestWorkspaces.of(this.root, this.added));
	}

	DirectoryOpener opener() {
		return DirectoryOpener.platform();
	}

	@AfterEach
	void nothingTemporaryIsLeft() throws IOException {
		for (Path directory : List.of(this.root, this.added)) {
			if (Files.exists(directory)) {
				try (Stream<Path> tree = Files.walk(directory)) {
					assertThat(tree).noneMatch((path) -> path.getFileName().toString().startsWith(".kairo-"));
				}
			}
		}
	}

	WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	Path file(String relative, String text) throws IOException {
		return TestWorkspaces.file(this.root.resolve(relative), text);
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	Write write(String relative, String text) {
		return new Write(path(relative), bytes(text));
	}

	ChangeReport.Line done(WorkspaceChange change) {
		return this.files.apply(change).value().lines().get(0);
	}

	WorkspaceResult.Failure<?> refused(WorkspaceChange change, WorkspaceErrorCode code) {
		return TestWorkspaces.failure(this.files.apply(change), code);
	}

	@Nested
	class Writing {

		@Test
		void createsAFileAndItsParents() {
			ChangeReport.Line line = done(write("a/b/file", "text"));
			assertThat(root.resolve("a/b/file")).hasContent("text");
			assertThat(line)
				.isEqualTo(new ChangeReport.Line(path("a/b/file"), true, FileVersion.ofContent(bytes("text"))));
		}

		@Test
		void replacesAFileAndKeepsItsMode() throws IOException {
			Path file = file("file", "old");
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
			done(write("file", "new"));
			assertThat(file).hasContent("new");
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rwxr-x--x");
		}

		@Test
		void dropsSetuidAndSetgid() throws Exception {
			Path file = file("file", "old");
			assertThat(new ProcessBuilder("chmod", "6755", file.toString()).start().waitFor()).isZero();
			done(write("file", "new"));
			assertThat((int) Files.getAttribute(file, "unix:mode") & 07777).isEqualTo(0755);
		}

		@Test
		void breaksHardLinks() throws IOException {
			Path file = file("file", "old");
			Path other = Files.createLink(temp.resolve("other"), file);
			done(write("file", "new"));
			assertThat(file).hasContent("new");
			assertThat(other).hasContent("old");
		}

		@Test
		void reportsTheVersionThatIsReadAfterwards() {
			for (int size : new int[] { 0, 10, 1 << 20, (1 << 20) + 1 }) {
				ChangeReport.Line line = done(new Write(path("file"), new byte[size]));
				assertThat(line.version()).isEqualTo(files.read(path("file"), 0, 1).value().version());
			}
		}

		@Test
		void createsARootThatDoesNotExistYet() throws IOException {
			Files.delete(root);
			Files.delete(added);
			done(write("a/file", "text"));
			assertThat(root.resolve("a/file")).hasContent("text");
			done(new CreateDirectory(new WorkspacePath(added, "")));
			assertThat(added).isEmptyDirectory();
		}

		@Test
		void reachesTheWholeDiskWhereThatIsAllowed() throws IOException {
			WorkspaceFiles everywhere = TestWorkspaces.open(PathPolicy.HOST, root);
			everywhere.apply(new Write(everywhere.resolve(added + "/a/file", everywhere.root()), bytes("x"))).value();
			assertThat(added.resolve("a/file")).hasContent("x");
		}

		@Test
		void refusesWhatIsNoFile() throws Exception {
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
		void deniedAccessIsReported() throws IOException {
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
		void anInterruptedThreadFailsAndOthersGoOn() throws Exception {
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
		void thatAreExpectedMustBeThere() throws IOException {
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
		void ofLargeFilesAreComparedInEitherForm() throws IOException {
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
		void absentMeansNothingMayBeThere() throws IOException {
			done(new Write(path("new"), bytes("x"), WorkspaceChange.ABSENT));
			refused(new Write(path("new"), bytes("y"), WorkspaceChange.ABSENT), WorkspaceErrorCode.STALE_READ);
			assertThat(root.resolve("new")).hasContent("x");
		}

	}

	@Nested
	class Exchanging {

		@Test
		void swapsOnlyTheExpectedContent() throws IOException {
			file("file", "old");
			assertThat(done(new CompareExchange(path("file"), bytes("old"), bytes("new"))))
				.isEqualTo(new ChangeReport.Line(path("file"), true, FileVersion.ofContent(bytes("new"))));
			assertThat(done(new CompareExchange(path("file"), bytes("old"), bytes("newer"))))
				.isEqualTo(new ChangeReport.Line(path("file"), false, FileVersion.ofContent(bytes("new"))));
			assertThat(root.resolve("file")).hasContent("new");
		}

		@Test
		void aMissingFileIsAFailure() throws IOException {
			refused(new CompareExchange(path("gone"), bytes(""), bytes("x")), WorkspaceErrorCode.FILE_NOT_FOUND);
			refused(new CompareExchange(path("a/gone"), bytes(""), bytes("x")), WorkspaceErrorCode.FILE_NOT_FOUND);
			assertThat(root).isEmptyDirectory();
		}

		@Test
		void aMismatchFailsABatch() throws IOException {
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
		void createsParents() {
			assertThat(done(new CreateDirectory(path("a/b/c"))).applied()).isTrue();
			assertThat(root.resolve("a/b/c")).isEmptyDirectory();
			assertThat(done(new CreateDirectory(path("a/b"))).applied()).isFalse();
			assertThat(done(new CreateDirectory(path(""))).applied()).isFalse();
		}

		@Test
		void refusesWhereAFileIs() throws IOException {
			file("file", "x");
			refused(new CreateDirectory(path("file")), WorkspaceErrorCode.FILE_EXISTS);
			refused(new CreateDirectory(path("file/a")), WorkspaceErrorCode.NOT_A_DIRECTORY);
		}

	}

	@Nested
	class Deleting {

		@Test
		void takesAFileALinkAndAnEmptyDirectory() throws IOException {
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
		void takesATreeOnlyRecursively() throws IOException {
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
		void neverTakesARoot() throws IOException {
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
		void takesAFileToNewParents() throws IOException {
			file("file", "x");
			assertThat(done(new Move(path("file"), path("a/b/file"))))
				.isEqualTo(new ChangeReport.Line(path("a/b/file"), true, FileVersion.ofContent(bytes("x"))));
			assertThat(root.resolve("a/b/file")).hasContent("x");
			assertThat(root.resolve("file")).doesNotExist();
		}

		@Test
		void replacesOnlyAFileAndOnlyIfAllowed() throws IOException {
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
		void takesDirectoriesButNotIntoThemselves() throws IOException {
			file("dir/sub/file", "x");
			refused(new Move(path("dir"), path("dir/sub/dir")), WorkspaceErrorCode.WRITE_FAILED);
			done(new Move(path("dir"), path("a/moved")));
			assertThat(root.resolve("a/moved/sub/file")).hasContent("x");
			assertThat(root.resolve("dir")).doesNotExist();
		}

		@Test
		void takesALinkAndNotWhatItPointsTo() throws IOException {
			file("file", "x");
			TestWorkspaces.link(root.resolve("link"), "file");
			done(new Move(path("link"), path("moved")));
			assertThat(root.resolve("moved")).isSymbolicLink();
			assertThat(root.resolve("link")).doesNotExist();
			assertThat(root.resolve("file")).hasContent("x");
		}

		@Test
		void toItselfChangesNothing() throws IOException {
			file("file", "x");
			refused(new Move(path("file"), path("file")), WorkspaceErrorCode.FILE_EXISTS);
			assertThat(done(new Move(path("file"), path("file"), Overwrite.REPLACE, null)).applied()).isFalse();
			assertThat(root.resolve("file")).hasContent("x");
			refused(new Move(path("gone"), path("other")), WorkspaceErrorCode.FILE_NOT_FOUND);
			refused(new Move(path(""), path("other")), WorkspaceErrorCode.IS_A_DIRECTORY);
		}

		@Test
		void crossesRoots() throws IOException {
			file("dir/file", "x");
			done(new Move(path("dir"), new WorkspacePath(added, "sub/dir")));
			assertThat(added.resolve("sub/dir/file")).hasContent("x");
			assertThat(root.resolve("dir")).doesNotExist();
		}

	}

	@Nested
	class Copying {

		@Test
		void copiesAFileWithItsMode() throws IOException {
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
		void copiesATreeWithItsLinksAsTheyAre() throws IOException {
			file("dir/sub/file", "x");
			TestWorkspaces.link(root.resolve("dir/out"), temp.resolve("outside"));
			refused(new Copy(path("dir"), path("dir/sub/copy")), WorkspaceErrorCode.WRITE_FAILED);
			done(new Copy(path("dir"), new WorkspacePath(added, "copy")));
			assertThat(added.resolve("copy/sub/file")).hasContent("x");
			assertThat(Files.readSymbolicLink(added.resolve("copy/out"))).isEqualTo(temp.resolve("outside"));
			assertThat(root.resolve("dir/sub/file")).hasContent("x");
		}

		@Test
		void aTreeWithASpecialFileIsNotCopied() throws Exception {
			file("dir/file", "x");
			TestWorkspaces.fifo(root.resolve("dir/fifo"));
			refused(new Copy(path("dir"), path("a/copy")), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			assertThat(root.resolve("a")).doesNotExist();
		}

	}

	@Nested
	class Batches {

		@Test
		void happenInTheirOrder() throws IOException {
			file("old", "1");
			file("gone/file", "2");
			ChangeReport report = files.apply(new Batch(List.of(write("a/new", "new"),
					new Move(path("old"), path("a/moved")), new Copy(path("a/moved"), path("b/copy")),
					new Delete(path("gone"), Depth.RECURSIVE, null), new CreateDirectory(path("c/d")),
					new CompareExchange(path("a/new"), bytes("new"), bytes("newer")), new Move(path("a"), path("e")),
					write("e/new", "newest"))))
				.value();
			assertThat(report.lines()).hasSize(8).allMatch(ChangeReport.Line::applied);
			assertThat(root.resolve("e/new")).hasContent("newest");
			assertThat(root.resolve("e/moved")).hasContent("1");
			assertThat(root.resolve("b/copy")).hasContent("1");
			assertThat(root.resolve("c/d")).isEmptyDirectory();
			assertThat(root.resolve("gone")).doesNotExist();
			assertThat(root.resolve("a")).doesNotExist();
			assertThat(files.apply(new Batch(List.of())).value().lines()).isEmpty();
		}

		@Test
		void areTakenBackAsAWhole() throws IOException {
			file("file", "1");
			file("other", "2");
			file("dir/file", "3");
			file("exchanged", "4");
			Files.setPosixFilePermissions(root.resolve("file"), PosixFilePermissions.fromString("rwx------"));
			refused(new Batch(List.of(write("file", "x"), write("a/b/new", "x"),
					new Move(path("other"), path("file"), Overwrite.REPLACE, null),
					new Delete(path("dir"), Depth.RECURSIVE, null), new CreateDirectory(path("dir/sub")),
					new CompareExchange(path("exchanged"), bytes("4"), bytes("5")), new Delete(path("exchanged")),
					new Copy(path("file"), path("c/copy")), new Delete(path("missing")))),
					WorkspaceErrorCode.FILE_NOT_FOUND);
			assertThat(root.resolve("file")).hasContent("1");
			assertThat(root.resolve("other")).hasContent("2");
			assertThat(root.resolve("dir/file")).hasContent("3");
			assertThat(root.resolve("exchanged")).hasContent("4");
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("file"))))
				.isEqualTo("rwx------");
			try (Stream<Path> entries = Files.list(root)) {
				assertThat(entries.map((entry) -> entry.getFileName().toString())).containsExactlyInAnyOrder("file",
						"other", "dir", "exchanged");
			}
		}

		@Test
		void mayLeadElsewhereOnTheirWay() throws IOException {
			file("dir/file", "old");
			TestWorkspaces.link(root.resolve("link"), "dir");
			assertThat(
					files.apply(new Batch(List.of(new Move(path("link"), path("moved")), write("moved/file", "new"))))
						.isOk())
				.isTrue();
			assertThat(root.resolve("dir/file")).hasContent("new");
		}

		@Test
		void ofManyChangesHaveFewDirectoriesOpen() throws IOException {
			List<WorkspaceChange> changes = new ArrayList<>();
			for (int i = 0; i < 300; i++) {
				changes.add(write("a/b/file" + i, "x"));
			}
			AtomicInteger open = new AtomicInteger();
			AtomicInteger most = new AtomicInteger();
			DirectoryOpener counting = (directory) -> new CountedDirectory(opener().open(directory), open, most);
			WorkspaceFiles counted = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS, counting)
				.open(TestWorkspaces.of(root));
			counted.apply(new Batch(changes)).value();
			assertThat(root.resolve("a/b/file299")).hasContent("x");
			assertThat(most.get()).isLessThan(10);
			assertThat(open.get()).isZero();
		}

		@Test
		void nameThePathThatFailed() {
			assertThat(refused(new Batch(List.of(write("a", "x"), new Delete(path("missing")))),
					WorkspaceErrorCode.FILE_NOT_FOUND)
				.message()).contains("missing");
		}

	}

	@Nested
	class Links {

		private Path outside;

		@BeforeEach
		void createOutside() throws IOException {
			this.outside = TestWorkspaces.file(temp.resolve("outside/file"), "kept").getParent();
		}

		@Test
		void thatStayInsideAreWrittenThrough() throws IOException {
			file("dir/file", "old");
			TestWorkspaces.link(root.resolve("link"), "dir/file");
			TestWorkspaces.link(root.resolve("parent"), root.resolve("dir"));
			TestWorkspaces.link(root.resolve("other-root"), added);
			TestWorkspaces.link(root.resolve("dangling"), "dir/new");
			done(write("link", "1"));
			assertThat(root.resolve("link")).isSymbolicLink();
			assertThat(root.resolve("dir/file")).hasContent("1");
			done(write("parent/file", "2"));
			assertThat(root.resolve("dir/file")).hasContent("2");
			done(write("other-root/sub/file", "3"));
			assertThat(added.resolve("sub/file")).hasContent("3");
			done(write("dangling", "4"));
			assertThat(root.resolve("dangling")).isSymbolicLink();
			assertThat(root.resolve("dir/new")).hasContent("4");
		}

		@Test
		void thatLeadOutAreRefusedForEveryChange() throws IOException {
			file("file", "x");
			TestWorkspaces.link(root.resolve("absolute"), this.outside.resolve("file"));
			TestWorkspaces.link(root.resolve("relative"), "../outside/file");
			TestWorkspaces.link(root.resolve("dangling"), this.outside.resolve("new"));
			TestWorkspaces.link(root.resolve("chain"), "relative");
			TestWorkspaces.link(root.resolve("parent"), this.outside);
			TestWorkspaces.link(root.resolve("dangling-parent"), temp.resolve("nowhere"));
			for (String link : new String[] { "absolute", "relative", "dangling", "chain", "parent/file", "parent/new",
					"parent/a/b", "dangling-parent/file" }) {
				List<WorkspaceChange> changes = List.of(write(link, "x"),
						new CompareExchange(path(link), bytes("kept"), bytes("x")), new CreateDirectory(path(link)),
						new Move(path("file"), path(link), Overwrite.REPLACE, null),
						new Copy(path("file"), path(link), Overwrite.REPLACE, null), new Copy(path(link), path("copy")),
						new Batch(List.of(write(link, "x"))));
				for (WorkspaceChange change : changes) {
					assertThat(refused(change, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED).message())
						.doesNotContain("outside");
				}
			}
			refused(new Delete(path("parent/file")), WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			refused(new Delete(path("parent/file"), Depth.RECURSIVE, null), WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			refused(new Move(path("parent/file"), path("moved")), WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			done(new Delete(path("parent"), Depth.RECURSIVE, null));
			assertThat(this.outside.resolve("file")).hasContent("kept");
			assertThat(this.outside).isDirectoryNotContaining((path) -> !path.endsWith("file"));
			assertThat(temp.resolve("nowhere")).doesNotExist();
			assertThat(root.resolve("file")).hasContent("x");
		}

		@Test
		void inALoopAreRefused() throws IOException {
			TestWorkspaces.link(root.resolve("one"), "two");
			TestWorkspaces.link(root.resolve("two"), "one");
			assertThat(files.apply(write("one", "x")).isOk()).isFalse();
			assertThat(files.apply(write("one/x", "x")).isOk()).isFalse();
			done(new Delete(path("one")));
			assertThat(Files.exists(root.resolve("one"), LinkOption.NOFOLLOW_LINKS)).isFalse();
		}

	}

}
