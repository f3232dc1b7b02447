package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

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
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ends a change at each of its steps, as an error and as a crash.
 */
@Timeout(60)
class CrashTests {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	Path root;

	Path state;

	@BeforeEach
	void prepare() throws IOException {
		this.temp = this.temp.toRealPath();
		this.state = this.temp.resolve("state");
	}

	private void createTree(int round) throws IOException {
		this.root = TestWorkspaces.directory(this.temp.resolve("root" + round));
		TestWorkspaces.file(this.root.resolve("file"), "old");
		TestWorkspaces.file(this.root.resolve("other"), "other");
		TestWorkspaces.file(this.root.resolve("dir/sub/file"), "deep");
		TestWorkspaces.link(this.root.resolve("dir/link"), "sub/file");
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	private LocalWorkspaceFilesFactory factory(String process, Steps steps) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(this.state),
				DirectoryOpener.platform(), new ProcessIdentity(process), steps);
	}

	/**
	 * Returns all that is in the root: texts of files and links, and directories.
	 */
	private Map<String, String> tree() throws IOException {
		Map<String, String> tree = new TreeMap<>();
		try (Stream<Path> paths = Files.walk(this.root)) {
			for (Path path : (Iterable<Path>) paths::iterator) {
				String text = Files.isSymbolicLink(path) ? "-> " + Files.readSymbolicLink(path)
						: Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "/" : Files.readString(path);
				tree.put(this.root.relativize(path).toString(), text);
			}
		}
		return tree;
	}

	@ParameterizedTest
	@EnumSource
	void aCrashAtAnyStepLeavesTheOldOrTheNewTree(Change change) throws IOException {
		createTree(0);
		Map<String, String> old = tree();
		Recorder recorder = new Recorder();
		assertThat(factory("recorder-", recorder).open(TestWorkspaces.of(this.root)).apply(change.make(this)).isOk())
			.isTrue();
		Map<String, String> changed = tree();
		assertThat(changed).isNotEqualTo(old);
		assertThat(recorder.count).isGreaterThan(2);
		boolean rolledForward = false;
		boolean rolledBack = false;
		for (int step = 1; step <= recorder.count; step++) {
			createTree(step);
			LocalWorkspaceFilesFactory dying = factory("dying" + step + "-", new Dying(step));
			try {
				dying.open(TestWorkspaces.of(this.root)).apply(change.make(this));
				assertThat(false).as("survived step %d", step).isTrue();
			}
			catch (Killed ex) {
				dying.state().journal().abandon();
			}
			factory("next-", Steps.UNHINDERED).open(TestWorkspaces.of(this.root));
			assertThat(tree()).as("after step %d", step).isIn(old, changed);
			rolledForward |= tree().equals(changed);
			rolledBack |= tree().equals(old);
		}
		assertThat(rolledBack).isTrue();
		assertThat(rolledForward).isTrue();
		if (Files.exists(this.state.resolve("journal"))) {
			assertThat(this.state.resolve("journal")).isDirectoryNotContaining("glob:**dying*");
		}
	}

	@ParameterizedTest
	@EnumSource
	void anErrorAtAnyStepChangesNothing(Change change) throws IOException {
		createTree(0);
		Map<String, String> old = tree();
		Recorder recorder = new Recorder();
		factory("recorder-", recorder).open(TestWorkspaces.of(this.root)).apply(change.make(this));
		Map<String, String> changed = tree();
		Set<WorkspaceErrorCode> codes = new TreeSet<>();
		for (int step = 1; step <= recorder.count; step++) {
			createTree(step);
			WorkspaceResult<?> result = factory("failing-", new Failing(step)).open(TestWorkspaces.of(this.root))
				.apply(change.make(this));
			if (result instanceof WorkspaceResult.Failure<?> failure) {
				codes.add(failure.code());
			}
			Map<String, String> tree = withoutTemporary(tree());
			assertThat(tree).as("after step %d", step).isIn(old, changed);
			boolean saidToBeChanged = result.isOk() || result.toString().contains("was changed");
			assertThat(tree.equals(changed)).as("after step %d: %s", step, result).isEqualTo(saidToBeChanged);
		}
		assertThat(codes).containsExactly(WorkspaceErrorCode.WRITE_FAILED);
	}

	private static Map<String, String> withoutTemporary(Map<String, String> tree) {
		Map<String, String> rest = new TreeMap<>(tree);
		rest.keySet().removeIf((path) -> path.contains(".kairo-"));
		return rest;
	}

	@ParameterizedTest
	@EnumSource(names = { "EXCHANGE", "DELETE", "MOVE" })
	void aChangeThatTheDiskDoesNotConfirmIsNotMadeAgain(Change change) throws IOException {
		createTree(0);
		Steps steps = (step) -> {
			if (step.equals("dirsync")) {
				throw new FileSystemException("", null, "Too many open files");
			}
		};
		WorkspaceFiles files = factory("failing-", steps).open(TestWorkspaces.of(this.root));
		assertThat(TestWorkspaces.failure(files.apply(change.make(this)), WorkspaceErrorCode.WRITE_FAILED).message())
			.contains("was changed");
	}

	@Test
	void temporaryNamesAreNotThereForTheWorkspace() throws IOException {
		createTree(0);
		String name = new TemporaryNames().next(this.root).toString();
		TestWorkspaces.file(this.root.resolve("dir").resolve(name), "x");
		WorkspaceFiles files = factory("one-", Steps.UNHINDERED).open(TestWorkspaces.of(this.root));
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
	void whatALivingProcessIsDoingIsLeftAlone() throws IOException {
		createTree(0);
		LocalWorkspaceFilesFactory dying = factory("dying-", new Dying(4));
		try {
			dying.open(TestWorkspaces.of(this.root)).apply(Change.WRITE.make(this));
		}
		catch (Killed ex) {
			// It keeps its journal locked.
		}
		Map<String, String> before = tree();
		assertThat(before.keySet()).anyMatch((name) -> name.startsWith(".kairo-"));
		factory("dying-", Steps.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(tree()).isEqualTo(before);
	}

	@Test
	void aChangeMadeSinceIsNotTakenBack() throws IOException {
		createTree(0);
		Batch batch = new Batch(List.of(new Write(path("file"), bytes("new")), new Delete(path("other"))));
		Steps steps = new Steps() {

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
		factory("next-", Steps.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(this.root.resolve("file")).hasContent("newer");
		assertThat(this.root.resolve("other")).hasContent("other");
	}

	@Test
	void aTornLineIsNotRead() throws IOException {
		createTree(0);
		Path journal = TestWorkspaces.file(this.state.resolve("journal/1-1-x"),
				"12345 1 TEMPORARY file:///etc file:///etc/passwd\nnonsense\n");
		factory("next-", Steps.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(journal).doesNotExist();
	}

	@Test
	void theStateDirectoryIsForItsOwnerOnly() throws IOException {
		createTree(0);
		WorkspaceFiles files = factory("one-", Steps.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(this.state).doesNotExist();
		files.apply(Change.WRITE.make(this)).value();
		for (Path directory : List.of(this.state, this.state.resolve("journal"))) {
			assertThat((int) Files.getAttribute(directory, "unix:mode") & 0777).isEqualTo(0700);
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	enum Change {

		WRITE, CREATE, EXCHANGE, DIRECTORY, DELETE, DELETE_TREE, MOVE, MOVE_OVER, COPY_TREE, BATCH;

		WorkspaceChange make(CrashTests test) {
			return switch (this) {
				case WRITE -> new Write(test.path("file"), bytes("new"));
				case CREATE -> new Write(test.path("a/b/file"), bytes("new"));
				case EXCHANGE -> new CompareExchange(test.path("file"), bytes("old"), bytes("new"));
				case DIRECTORY -> new CreateDirectory(test.path("a"));
				case DELETE -> new Delete(test.path("file"));
				case DELETE_TREE -> new Delete(test.path("dir"), Depth.RECURSIVE, null);
				case MOVE -> new Move(test.path("dir"), test.path("a/dir"));
				case MOVE_OVER -> new Move(test.path("file"), test.path("other"), Overwrite.REPLACE, null);
				case COPY_TREE -> new Copy(test.path("dir"), test.path("a/copy"));
				case BATCH -> new Batch(List.of(new Write(test.path("file"), bytes("new")),
						new Write(test.path("file"), bytes("newer")), new Write(test.path("a/b"), bytes("b")),
						new Move(test.path("other"), test.path("file"), Overwrite.REPLACE, null),
						new Delete(test.path("dir"), Depth.RECURSIVE, null),
						new Write(test.path("dir/file"), bytes("again")),
						new Copy(test.path("file"), test.path("other")), new Move(test.path("a"), test.path("c"))));
			};
		}

	}

	/**
	 * Counts steps.
	 */
	private static class Recorder implements Steps {

		private int count;

		@Override
		public void before(String step) {
			this.count++;
		}

	}

	/**
	 * Ends at a step: from there on nothing happens.
	 */
	private static final class Dying implements Steps {

		private final int last;

		private int count;

		Dying(int last) {
			this.last = last;
		}

		@Override
		public void before(String step) {
			if (++this.count >= this.last) {
				throw new Killed();
			}
		}

	}

	/**
	 * Fails at a step, once.
	 */
	private static final class Failing implements Steps {

		private final int failing;

		private int count;

		Failing(int failing) {
			this.failing = failing;
		}

		@Override
		public void before(String step) throws IOException {
			if (++this.count == this.failing) {
				throw new IOException("No space left on device");
			}
		}

	}

	private static final class Killed extends Error {

		private static final long serialVersionUID = 1L;

	}

}
