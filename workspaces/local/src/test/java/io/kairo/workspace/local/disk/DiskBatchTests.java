package io.kairo.workspace.local.disk;

import java.io.IOException;
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
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DiskChanges}: batches, and links on the way.
 */
class DiskBatchTests extends AbstractDiskChangesTests {

	private static final int FILES = "long".equals(System.getProperty("kairo.stress")) ? 300 : 60;

	@Nested
	class Batches {

		@Test
		void changesOfBatchAreAppliedInOrder() throws IOException {
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
		void failedBatchIsRolledBackAsAWhole() throws IOException {
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
		void changesOfBatchFollowLinksMovedByEarlierOnes() throws IOException {
			file("dir/file", "old");
			TestWorkspaces.link(root.resolve("link"), "dir");
			assertThat(
					files.apply(new Batch(List.of(new Move(path("link"), path("moved")), write("moved/file", "new"))))
						.isOk())
				.isTrue();
			assertThat(root.resolve("dir/file")).hasContent("new");
		}

		@Test
		void largeBatchKeepsFewDirectoriesOpen() throws IOException {
			List<WorkspaceChange> changes = new ArrayList<>();
			for (int i = 0; i < FILES; i++) {
				changes.add(write("a/b/file" + i, "x"));
			}
			AtomicInteger open = new AtomicInteger();
			AtomicInteger most = new AtomicInteger();
			DirectoryOpener counting = (directory) -> new CountedDirectory(opener().open(directory), open, most);
			WorkspaceFiles counted = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS, counting)
				.open(TestWorkspaces.of(root));
			counted.apply(new Batch(changes)).value();
			assertThat(root.resolve("a/b/file" + (FILES - 1))).hasContent("x");
			assertThat(most.get()).isLessThan(10);
			assertThat(open.get()).isZero();
		}

		@Test
		void failedBatchNamesThePathThatFailed() {
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
		void changesFollowLinksInside() throws IOException {
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
		void everyChangeRefusesLinksToTargetsOutside() throws IOException {
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
		void changesRefuseLoopsOfLinks() throws IOException {
			TestWorkspaces.link(root.resolve("one"), "two");
			TestWorkspaces.link(root.resolve("two"), "one");
			assertThat(files.apply(write("one", "x")).isOk()).isFalse();
			assertThat(files.apply(write("one/x", "x")).isOk()).isFalse();
			done(new Delete(path("one")));
			assertThat(Files.exists(root.resolve("one"), LinkOption.NOFOLLOW_LINKS)).isFalse();
		}

	}

}
