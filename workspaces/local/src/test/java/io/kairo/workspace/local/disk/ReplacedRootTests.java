package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.LinkedRootException;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.RacedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a root that was replaced by a link or another directory, or deleted.
 */
@Timeout(60)
class ReplacedRootTests {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private AttackedTree tree;

	private LocalWorkspaceFilesFactory factory;

	private Workspace workspace;

	private WorkspaceFiles files;

	private Swap swap;

	@BeforeEach
	void openFiles() throws IOException {
		this.tree = AttackedTree.create(this.temp.toRealPath());
		this.factory = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(this.tree.temp().resolve("state")));
		this.workspace = TestWorkspaces.of(this.tree.root());
		this.files = this.factory.open(this.workspace);
		this.swap = Attack.ROOT.on(this.tree);
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.tree.root(), relative);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private void requireRefused(WorkspaceFiles refusing) {
		WorkspaceErrorCode code = WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED;
		TestWorkspaces.failure(refusing.read(path("top/dir/file"), 0, 10), code);
		TestWorkspaces.failure(refusing.list(path(""), 1), code);
		TestWorkspaces.failure(refusing.walk(path(""), (file) -> Next.CONTINUE), code);
		for (WorkspaceChange change : List.of(new Write(path("new"), bytes("x")), new CreateDirectory(path("made")))) {
			assertThat(TestWorkspaces.failure(refusing.apply(change), code).message()).contains("symbolic link")
				.doesNotContain(this.tree.outside().toString());
		}
	}

	@Test
	void rootReplacedByALinkIsRefused() throws IOException {
		Map<String, String> before = this.tree.describeOutside();
		this.swap.there();
		requireRefused(this.files);
		requireRefused(this.factory.open(this.workspace));
		requireRefused(this.factory.open(TestWorkspaces.of(this.tree.root())));
		assertThat(this.tree.describeOutside()).isEqualTo(before);
		this.swap.back();
		assertThat(TestWorkspaces.read(this.files, "top/dir/file")).isEqualTo(AttackedTree.INSIDE);
	}

	@Test
	void rootThatBecomesALinkWhileItIsOpenedIsNotFollowed() throws Exception {
		Object key = Files.readAttributes(this.tree.root(), BasicFileAttributes.class).fileKey();
		AtomicBoolean over = new AtomicBoolean();
		ExecutorService attacker = Executors.newSingleThreadExecutor();
		try {
			Future<?> swapping = attacker.submit(() -> {
				while (!over.get()) {
					this.swap.there();
					this.swap.back();
				}
				return null;
			});
			DirectoryOpener opener = DirectoryOpener.platform();
			long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
			for (int raced = 0; raced < 3 && System.nanoTime() < deadline;) {
				try (OpenDirectory opened = opener.open(this.tree.root())) {
					assertThat(opened.self().fileKey()).isEqualTo(key);
				}
				catch (RacedException ex) {
					raced++;
				}
				catch (LinkedRootException | NoSuchFileException ex) {
					// It came too late or too early.
				}
			}
			over.set(true);
			swapping.get();
		}
		finally {
			over.set(true);
			attacker.shutdownNow();
		}
	}

	@Test
	void rootIsNotCreatedInPlaceOfADanglingLink() throws IOException {
		Files.move(this.tree.root(), this.tree.temp().resolve("parked"));
		TestWorkspaces.link(this.tree.root(), this.tree.outside().resolve("new"));
		requireRefused(this.files);
		assertThat(this.tree.outside().resolve("new")).doesNotExist();
	}

	@Test
	void configuredRootMayBeALink() throws IOException {
		Path link = TestWorkspaces.link(this.tree.temp().resolve("configured"), this.tree.root());
		WorkspaceFiles linked = this.factory.open(TestWorkspaces.of(link));
		assertThat(TestWorkspaces.read(linked, "top/dir/file")).isEqualTo(AttackedTree.INSIDE);
		linked.apply(new Write(new WorkspacePath(link, "made/new/file"), bytes("x"))).value();
		assertThat(this.tree.root().resolve("made/new/file")).hasContent("x");
	}

	@Test
	void deletedRootIsCreatedAgain() throws IOException {
		Files.move(this.tree.root(), this.tree.temp().resolve("parked"));
		TestWorkspaces.failure(this.files.read(path("file"), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertThat(this.files.list(path(""), 1).value().entries()).isEmpty();
		TestWorkspaces.file(this.tree.root().resolve("file"), "again");
		assertThat(TestWorkspaces.read(this.files, "file")).isEqualTo("again");
		Files.delete(this.tree.root().resolve("file"));
		Files.delete(this.tree.root());
		this.files.apply(new Write(path("a/file"), bytes("by the store"))).value();
		assertThat(this.tree.root().resolve("a/file")).hasContent("by the store");
	}

	@Test
	void rootReplacedByAFileIsRefused() throws IOException {
		Files.move(this.tree.root(), this.tree.temp().resolve("parked"));
		Files.writeString(this.tree.root(), "x");
		TestWorkspaces.failure(this.files.list(path(""), 1), WorkspaceErrorCode.NOT_A_DIRECTORY);
		assertThat(this.files.apply(new Write(path("file"), bytes("x"))).isOk()).isFalse();
	}

	@Test
	void sweepDoesNotFollowAReplacedRoot() throws IOException {
		Path name = new TemporaryNames().next(this.tree.root());
		TestWorkspaces.file(this.tree.root().resolve("top").resolve(name), "left");
		TestWorkspaces.file(this.tree.outside().resolve("top").resolve(name), "kept");
		JournalRecord record;
		try (OpenDirectory base = DirectoryOpener.platform().open(this.tree.root());
				OpenDirectory top = base.directory(Path.of("top"))) {
			record = JournalRecord.temporary(1, new EntryRef(top, name));
		}
		TestWorkspaces.file(this.tree.temp().resolve("state/journal/gone-"),
				new String(record.toBytes(), StandardCharsets.UTF_8));
		this.swap.there();
		this.factory.open(this.workspace);
		assertThat(this.tree.outside().resolve("top").resolve(name)).hasContent("kept");
		this.swap.back();
		this.factory.open(this.workspace);
		assertThat(this.tree.root().resolve("top").resolve(name)).doesNotExist();
		assertThat(this.tree.temp().resolve("state/journal")).isEmptyDirectory();
	}

	@Test
	void newDirectoriesInheritTheGroupOfTheRoot() throws Exception {
		assertThat(new ProcessBuilder("chmod", "g+s", this.tree.root().toString()).start().waitFor()).isZero();
		this.files.apply(new CreateDirectory(path("shared/deep"))).value();
		for (String made : List.of("shared", "shared/deep")) {
			assertThat((int) Files.getAttribute(this.tree.root().resolve(made), "unix:mode") & 02000).isEqualTo(02000);
		}
		assertThat(Files.getPosixFilePermissions(this.tree.root().resolve("shared")))
			.containsAll(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
	}

}
