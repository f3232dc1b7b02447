package io.kairo.workspace.local.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the remains of interrupted changes and their cleanup.
 */
@Timeout(60)
class JournalTests extends CrashFixture {

	@Test
	void temporaryNamesAreHiddenFromTheWorkspace() throws IOException {
		createTree(0);
		String name = new TemporaryNames().next(this.root).toString();
		TestWorkspaces.file(this.root.resolve("dir").resolve(name), "x");
		WorkspaceFiles files = factory("one-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
		WorkspacePath temporary = path("dir/" + name);
		assertThat(files.list(path("dir"), 2).value().entries()).hasSize(3);
		assertThat(files.list(path("dir"), 2).value().omitted()).isZero();
		assertThat(files.walk(path(""), (file) -> Next.CONTINUE).value().files()).isEqualTo(3);
		TestWorkspaces.failure(files.info(temporary), WorkspaceErrorCode.FILE_NOT_FOUND);
		TestWorkspaces.failure(files.read(temporary, 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		String other = new TemporaryNames().next(this.root).toString();
		TestWorkspaces.failure(files.apply(new Write(path(other), bytes("x"))), WorkspaceErrorCode.PROTECTED_PATH);
		TestWorkspaces.failure(files.apply(new CreateDirectory(path(other + "/a"))), WorkspaceErrorCode.PROTECTED_PATH);
		files.apply(new Copy(path("dir"), path("copy"))).value();
		assertThat(this.root.resolve("copy").resolve(name)).doesNotExist();
		files.apply(new Delete(path("dir"), Depth.RECURSIVE, null)).value();
		assertThat(this.root.resolve("dir")).doesNotExist();
		files.apply(new Write(path(".kairo-notes"), bytes("x"))).value();
		assertThat(files.list(path(""), 1).value().entries())
			.anyMatch((entry) -> entry.path().equals(path(".kairo-notes")));
	}

	@Test
	void sweepLeavesChangesOfLivingProcessesAlone() throws Exception {
		createTree(0);
		LocalWorkspaceFilesFactory dying = factory("dying-", new Dying(4));
		try {
			dying.open(TestWorkspaces.of(this.root)).apply(AnyChange.WRITE.make(this));
		}
		catch (Killed ex) {
			// It keeps its journal locked.
		}
		Map<String, String> before = tree();
		assertThat(before.keySet()).anyMatch((name) -> name.startsWith(".kairo-"));
		factory("dying-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(tree()).isEqualTo(before);
		Process other = ChangeProcess.start("forwards", this.root, this.state);
		try (BufferedReader output = other.inputReader()) {
			assertThat(output.readLine()).isEqualTo("started");
			assertThat(tree()).as("after another process came").isEqualTo(before);
		}
		finally {
			other.destroyForcibly().waitFor();
		}
	}

	@Test
	void sweepKeepsChangesMadeSince() throws IOException {
		createTree(0);
		Batch batch = new Batch(List.of(new Write(path("file"), bytes("new")), new Delete(path("other"))));
		FaultPoints steps = new FaultPoints() {

			private boolean killed;

			@Override
			public void before(String step) {
				this.killed |= step.equals("aside");
				if (this.killed) {
					throw new Killed();
				}
			}

		};
		LocalWorkspaceFilesFactory dying = factory("dying-", steps);
		try {
			dying.open(TestWorkspaces.of(this.root)).apply(batch);
		}
		catch (Killed ex) {
			dying.state().journal().abandon();
		}
		assertThat(this.root.resolve("file")).hasContent("new");
		Files.delete(this.root.resolve("file"));
		Files.writeString(this.root.resolve("file"), "newer");
		factory("next-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(this.root.resolve("file")).hasContent("newer");
		assertThat(this.root.resolve("other")).hasContent("other");
	}

	@Test
	void sweepIgnoresIncompleteLines() throws IOException {
		createTree(0);
		Path journal = TestWorkspaces.file(this.state.resolve("journal/1-1-x"),
				"12345 1 TEMPORARY file:///etc file:///etc/passwd\nnonsense\n");
		factory("next-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(journal).doesNotExist();
	}

	@Test
	void stateDirectoryIsAccessibleByItsOwnerOnly() throws IOException {
		createTree(0);
		WorkspaceFiles files = factory("one-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(this.state).doesNotExist();
		files.apply(AnyChange.WRITE.make(this)).value();
		for (Path directory : List.of(this.state, this.state.resolve("journal"))) {
			assertThat((int) Files.getAttribute(directory, "unix:mode") & 0777).isEqualTo(0700);
		}
	}

	@Test
	void forgedLinesHaveNoEffectOutsideOfTheRoots() throws IOException {
		createTree(0);
		Path outside = TestWorkspaces.directory(this.temp.resolve("outside"));
		Path temporary = TestWorkspaces.file(outside.resolve(new TemporaryNames().next(outside)), "kept");
		Path link = TestWorkspaces.link(this.root.resolve("out"), outside);
		Path dir = this.root.resolve("dir");
		String moveOut = record("BACK", this.root, dir, EntryRef.identity(attributes(dir)), outside,
				outside.resolve("stolen"));
		String moveIn = record("BACK", outside, temporary, EntryRef.identity(attributes(temporary)), this.root,
				this.root.resolve("taken"));
		String throughLink = record("REMOVE", link, link.resolve(temporary.getFileName()),
				EntryRef.identity(attributes(temporary)), null, null);
		String dots = record("REMOVE", this.root, this.root.resolve("../outside").resolve(temporary.getFileName()),
				EntryRef.identity(attributes(temporary)), null, null);
		String remove = record("REMOVE", outside, temporary, EntryRef.identity(attributes(temporary)), null, null);
		for (String line : List.of(moveOut, moveIn, throughLink, dots, remove)) {
			TestWorkspaces.file(this.state.resolve("journal/1-1-" + line.hashCode()), line);
		}
		factory("next-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(dir.resolve("sub/file")).hasContent("deep");
		assertThat(outside).isDirectoryNotContaining("glob:**/stolen");
		assertThat(temporary).hasContent("kept");
	}

	@Test
	void sweepLeavesChangesToTheWorkspaceThatContainsThem() throws IOException {
		createTree(0);
		LocalWorkspaceFilesFactory dying = factory("dying-", new Dying(4));
		try {
			dying.open(TestWorkspaces.of(this.root)).apply(AnyChange.WRITE.make(this));
		}
		catch (Killed ex) {
			dying.state().journal().abandon();
		}
		Map<String, String> before = tree();
		Path other = TestWorkspaces.directory(this.temp.resolve("other"));
		LocalWorkspaceFilesFactory next = factory("next-", FaultPoints.UNHINDERED);
		next.open(TestWorkspaces.of(other));
		assertThat(tree()).isEqualTo(before);
		next.open(TestWorkspaces.of(this.root));
		assertThat(tree().keySet()).noneMatch((name) -> name.startsWith(".kairo-"));
		assertThat(this.state.resolve("journal")).isEmptyDirectory();
	}

	@Test
	void sweepForgetsChangesOfRemovedWorkspaces() throws IOException {
		createTree(0);
		Path gone = this.temp.resolve("gone");
		String line = record("REMOVE", this.temp, gone.resolve("x"), EntryRef.NOTHING, null, null);
		TestWorkspaces.file(this.state.resolve("journal/1-1-x"), line);
		factory("next-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(this.state.resolve("journal")).isEmptyDirectory();
	}

	@Test
	void linksInTheStateDirectoryAreNotFollowed() throws IOException {
		createTree(0);
		Path outside = TestWorkspaces.directory(this.temp.resolve("outside"));
		WorkspaceFiles files = factory("one-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
		TestWorkspaces.directory(this.state);
		for (String name : List.of("locks", "journal")) {
			Path link = TestWorkspaces.link(this.state.resolve(name),
					name.equals("locks") ? outside.resolve("locks") : outside);
			TestWorkspaces.failure(files.apply(AnyChange.WRITE.make(this)), WorkspaceErrorCode.WRITE_FAILED);
			Files.delete(link);
		}
		assertThat(outside).isEmptyDirectory();
		Files.move(this.state, this.temp.resolve("moved"));
		TestWorkspaces.link(this.state, outside);
		TestWorkspaces.failure(files.apply(AnyChange.WRITE.make(this)), WorkspaceErrorCode.WRITE_FAILED);
		assertThat(outside).isEmptyDirectory();
	}

	@Test
	void stateThatOtherUsersCanChangeIsNotUsed() throws IOException {
		createTree(0);
		String line = record("REMOVE", this.root, this.root.resolve("file"),
				EntryRef.identity(attributes(this.root.resolve("file"))), null, null);
		Path journal = TestWorkspaces.file(this.state.resolve("journal/1-1-x"), line);
		LocalWorkspaceFilesFactory factory = factory("next-", FaultPoints.UNHINDERED);
		for (Path path : List.of(this.state, journal.getParent(), journal)) {
			Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
			Set<PosixFilePermission> open = new HashSet<>(permissions);
			open.add(PosixFilePermission.OTHERS_WRITE);
			Files.setPosixFilePermissions(path, open);
			WorkspaceFiles files = factory.open(TestWorkspaces.of(this.root));
			assertThat(this.root.resolve("file")).as("with an open %s", path.getFileName()).hasContent("old");
			if (!path.equals(journal)) {
				TestWorkspaces.failure(files.apply(AnyChange.WRITE.make(this)), WorkspaceErrorCode.WRITE_FAILED);
			}
			Files.setPosixFilePermissions(path, permissions);
		}
		factory.open(TestWorkspaces.of(this.root));
		assertThat(this.root.resolve("file")).as("with private state").doesNotExist();
	}

	private static BasicFileAttributes attributes(Path path) throws IOException {
		try (OpenDirectory directory = DirectoryOpener.platform().open(path.getParent())) {
			return directory.attributes(path.getFileName());
		}
	}

	private static String record(String verb, Path base, Path path, String identity, @Nullable Path homeBase,
			@Nullable Path home) {
		List<String> fields = new ArrayList<>(
				List.of(base.toUri().toString(), path.toUri().toString(), identity, identity));
		if (homeBase != null && home != null) {
			fields.addAll(List.of(homeBase.toUri().toString(), home.toUri().toString(), EntryRef.NOTHING));
		}
		return new String(new JournalRecord(1, verb, fields).toBytes(), StandardCharsets.UTF_8);
	}

}
