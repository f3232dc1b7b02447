package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import io.kairo.api.workspace.Checkpoint;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Change;
import io.kairo.api.workspace.WorkspaceCheckpoints.Obstacle;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recorded;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recording;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceCheckpoints.State;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.api.workspace.WritePolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The contract of {@link WorkspaceCheckpoints} as tests, over a store of files. Every
 * store is used by a single test. A test takes a few seconds at most.
 */
public abstract class WorkspaceCheckpointsContract {

	private WorkspaceFiles files;

	private WorkspaceCheckpoints checkpoints;

	private WorkspaceFiles recorded;

	/**
	 * Creates the contract.
	 */
	protected WorkspaceCheckpointsContract() {
	}

	/**
	 * Creates a store with files.
	 * @param policy the write policy of the store
	 * @param content the texts of the existing files by canonical path
	 * @return a separate store without other files
	 * @throws IOException if the store cannot be prepared
	 */
	protected abstract WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) throws IOException;

	/**
	 * Opens the checkpoints of a session over the store that was created last.
	 * @param session the name of the session
	 * @return the checkpoints
	 */
	protected abstract WorkspaceCheckpoints checkpoints(String session);

	/**
	 * Returns whether the root of the store is a directory of this machine, in which
	 * commands can run.
	 * @return whether it is
	 */
	protected abstract boolean onDisk();

	/**
	 * Returns whether there can be trials over the store.
	 * @return whether they are possible, false by default
	 */
	protected boolean hasTrials() {
		return false;
	}

	@BeforeEach
	void createStore() throws IOException {
		this.files = createFiles(new WritePolicy(false, List.of("guarded"), List.of()),
				Map.of("a.txt", "alpha", "kb/foo.md", "foo", "kb/deep/bar.md", "bar", "guarded/secret", "s"));
		this.checkpoints = checkpoints("one");
		this.recorded = this.checkpoints.recorded(this.files);
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.files.root().root(), relative);
	}

	private void write(String path, String text) {
		apply(new WorkspaceChange.Write(path(path), text.getBytes(StandardCharsets.UTF_8)));
	}

	private void apply(WorkspaceChange change) {
		this.recorded.apply(change).value();
	}

	private void foreign(String path, String text) {
		this.files.apply(new WorkspaceChange.Write(path(path), text.getBytes(StandardCharsets.UTF_8))).value();
	}

	private Map<String, String> state() {
		Map<String, String> state = new TreeMap<>();
		for (FileInfo each : this.files.list(this.files.root(), 9).value().entries()) {
			WorkspaceResult<FileContent> content = this.files.read(each.path(), 0, 1000);
			state.put(each.path().relative(), (each.type() == FileType.FILE)
					? new String(content.value().bytes(), StandardCharsets.UTF_8) : each.type().name());
		}
		return state;
	}

	private Rewind restore(Range range, WorkspacePath... overwritten) {
		return this.checkpoints.restore(this.files, range, Set.of(overwritten)).value();
	}

	private static @Nullable Obstacle obstacle(Rewind rewind, WorkspacePath path) {
		return rewind.changes()
			.stream()
			.filter((change) -> change.path().equals(path))
			.findFirst()
			.orElseThrow()
			.obstacle();
	}

	@Test
	void everyKindOfChangeIsUndoneAndRedone() {
		Map<String, String> before = state();
		write("a.txt", "beta");
		write("new/dir/x", "x");
		apply(new WorkspaceChange.CreateDirectory(path("empty/one")));
		apply(new WorkspaceChange.Move(path("kb/foo.md"), path("new/foo.md")));
		apply(new WorkspaceChange.Copy(path("kb"), path("copy")));
		apply(new WorkspaceChange.Delete(path("kb"), WorkspaceChange.Depth.RECURSIVE, null));
		apply(new WorkspaceChange.CompareExchange(path("a.txt"), "beta".getBytes(StandardCharsets.UTF_8),
				"gamma".getBytes(StandardCharsets.UTF_8)));
		apply(Changes.batch(Changes.write(path("b"), "b"), new WorkspaceChange.Delete(path("b"))));
		Map<String, String> after = state();
		Rewind preview = this.checkpoints.changes(this.files, Range.all(), Set.of()).value();
		assertThat(preview.done()).isFalse();
		assertThat(state()).isEqualTo(after);
		Rewind done = restore(Range.all());
		assertThat(done.done()).isTrue();
		assertThat(done.changes()).isEqualTo(preview.changes()).allMatch((change) -> change.obstacle() == null);
		assertThat(state()).isEqualTo(before);
		restore(Range.redo());
		assertThat(state()).isEqualTo(after);
		assertThat(this.checkpoints.restore(this.files, Range.redo(), Set.of()))
			.isInstanceOf(WorkspaceResult.Failure.class);
	}

	@Test
	void lastStepsAreUndone() {
		write("a.txt", "1");
		write("a.txt", "2");
		write("b", "3");
		assertThat(restore(Range.last(1)).steps()).containsExactly("write b");
		assertThat(state()).containsEntry("a.txt", "2").doesNotContainKey("b");
		restore(Range.last(1));
		assertThat(state()).containsEntry("a.txt", "1");
		write("c", "4");
		restore(Range.last(2));
		assertThat(state()).containsEntry("a.txt", "alpha").doesNotContainKey("c");
	}

	@Test
	void pathsAreUndoneAlone() {
		write("a.txt", "1");
		write("kb/foo.md", "1");
		write("kb/new/x", "1");
		restore(Range.all().of(List.of(path("kb"))));
		assertThat(state()).containsEntry("a.txt", "1")
			.containsEntry("kb/foo.md", "foo")
			.doesNotContainKeys("kb/new", "kb/new/x");
		restore(Range.all());
		assertThat(state()).containsEntry("a.txt", "alpha");
	}

	@Test
	void changesByOthersAreKeptUnlessNamed() {
		write("a.txt", "1");
		write("kb/foo.md", "1");
		write("dir/mine", "1");
		foreign("a.txt", "a person");
		foreign("dir/theirs", "a person");
		Rewind rewind = restore(Range.all());
		assertThat(obstacle(rewind, path("a.txt"))).isEqualTo(Obstacle.CONFLICT);
		assertThat(obstacle(rewind, path("dir"))).isEqualTo(Obstacle.NOT_EMPTY);
		assertThat(state()).containsEntry("a.txt", "a person")
			.containsEntry("kb/foo.md", "foo")
			.containsEntry("dir/theirs", "a person")
			.doesNotContainKey("dir/mine");
		restore(Range.all(), path("a.txt"));
		assertThat(state()).containsEntry("a.txt", "alpha").containsEntry("dir/theirs", "a person");
	}

	@Test
	void changeByOthersBetweenTheStepsIsNotLost() {
		write("a.txt", "1");
		foreign("a.txt", "a person");
		write("a.txt", "2");
		assertThat(obstacle(restore(Range.all()), path("a.txt"))).isEqualTo(Obstacle.CONFLICT);
		assertThat(state()).containsEntry("a.txt", "2");
		restore(Range.last(1));
		assertThat(state()).containsEntry("a.txt", "a person");
	}

	@Test
	void changesOfAnotherSessionAreItsOwn() {
		WorkspaceCheckpoints other = checkpoints("two");
		write("a.txt", "1");
		other.recorded(this.files)
			.apply(new WorkspaceChange.Write(path("theirs"), "x".getBytes(StandardCharsets.UTF_8)))
			.value();
		assertThat(this.checkpoints.changes(this.files, Range.all(), Set.of()).value().changes())
			.extracting(Change::path)
			.containsExactly(path("a.txt"));
		assertThat(other.list()).isEmpty();
		other.restore(this.files, Range.all(), Set.of()).value();
		assertThat(state()).containsEntry("a.txt", "1").doesNotContainKey("theirs");
	}

	@Test
	void checkpointIsReturnedTo() {
		write("a.txt", "1");
		Checkpoint taken = this.checkpoints.take(this.files, "here").value();
		assertThat(taken.files()).isPositive();
		write("a.txt", "2");
		write("b", "2");
		assertThat(this.checkpoints.list()).singleElement().satisfies((checkpoint) -> {
			assertThat(checkpoint.name()).isEqualTo("here");
			assertThat(checkpoint.steps()).isEqualTo(2);
		});
		restore(Range.since("here"));
		assertThat(state()).containsEntry("a.txt", "1").doesNotContainKey("b");
		write("c", "3");
		this.checkpoints.take(this.files, "here").value();
		assertThat(this.checkpoints.list()).hasSize(1);
		assertThat(restore(Range.since("here")).changes()).isEmpty();
		assertThat(this.checkpoints.forget("here")).isTrue();
		assertThat(this.checkpoints.forget("here")).isFalse();
	}

	@Test
	void missingCheckpointAndMissingStepsAreFailures() {
		for (Range range : List.of(Range.since("missing"), Range.last(1), Range.redo())) {
			assertThat(this.checkpoints.restore(this.files, range, Set.of())).isInstanceOfSatisfying(
					WorkspaceResult.Failure.class,
					(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.FILE_NOT_FOUND));
		}
		assertThatIllegalArgumentException().isThrownBy(() -> this.checkpoints.take(this.files, " "));
		assertThatIllegalArgumentException().isThrownBy(() -> Range.last(0));
	}

	@Test
	void refusedChangeIsNoStep() {
		assertThat(this.recorded.apply(new WorkspaceChange.Delete(path("missing"))).isOk()).isFalse();
		assertThat(this.recorded.apply(new WorkspaceChange.Write(path("guarded/secret"), new byte[0])).isOk())
			.isFalse();
		assertThat(this.checkpoints.changes(this.files, Range.all(), Set.of()).value().steps()).isEmpty();
	}

	@Test
	void contentIsReturned() {
		write("a.txt", "beta");
		Change change = this.checkpoints.changes(this.files, Range.all(), Set.of()).value().changes().get(0);
		State from = Objects.requireNonNull(change.from());
		State to = Objects.requireNonNull(change.to());
		assertThat(this.checkpoints.content(from, 100)).isEqualTo("beta".getBytes(StandardCharsets.UTF_8));
		assertThat(this.checkpoints.content(to, 100)).isEqualTo("alpha".getBytes(StandardCharsets.UTF_8));
		assertThat(this.checkpoints.content(to, 4)).isNull();
	}

	@Test
	void commandIsUndone() throws IOException {
		assumeThat(onDisk()).as("SKIPPED: no command can run there").isTrue();
		Path root = this.files.root().root();
		Map<String, String> before = state();
		try (Recording recording = this.checkpoints.begin(this.files, "the command")) {
			Files.delete(root.resolve("a.txt"));
			Files.createSymbolicLink(root.resolve("a.txt"), Path.of("kb/foo.md"));
			Files.move(root.resolve("kb"), root.resolve("moved"));
			Files.createDirectories(root.resolve("kb/one"));
			Files.setPosixFilePermissions(root.resolve("moved/foo.md"), PosixFilePermissions.fromString("rwx------"));
			Files.writeString(root.resolve("guarded/secret"), "changed");
			Recorded done = recording.end();
			assertThat(done.created()).isEqualTo(5);
			assertThat(done.changed()).isOne();
			assertThat(done.deleted()).isEqualTo(3);
			assertThat(done.unkept()).isEmpty();
			assertThat(done.unrecorded()).isNull();
			assertThat(recording.end()).isSameAs(done);
		}
		assertThat(restore(Range.last(1)).steps()).containsExactly("the command");
		assertThat(Files.readString(root.resolve("guarded/secret"))).isEqualTo("changed");
		before.put("guarded/secret", "changed");
		assertThat(state()).isEqualTo(before);
		restore(Range.redo());
		assertThat(Files.readSymbolicLink(root.resolve("a.txt"))).hasToString("kb/foo.md");
		assertThat(PosixFilePermissions
			.toString(Files.getPosixFilePermissions(root.resolve("moved/foo.md"), LinkOption.NOFOLLOW_LINKS)))
			.isEqualTo("rwx------");
	}

	@Test
	void changesWhileACommandRunsAreNotTheCommands() throws IOException {
		assumeThat(onDisk()).as("SKIPPED: no command can run there").isTrue();
		Path root = this.files.root().root();
		WorkspaceCheckpoints other = checkpoints("two");
		try (Recording recording = this.checkpoints.begin(this.files, "long")) {
			other.recorded(this.files).apply(Changes.write(path("theirs"), "x")).value();
			try (Recording second = other.begin(this.files, "short")) {
				Files.writeString(root.resolve("other"), "x");
			}
			write("mine", "x");
			Files.writeString(root.resolve("command"), "x");
			assertThat(recording.end().created()).isOne();
		}
		restore(Range.last(1));
		assertThat(state()).containsKeys("theirs", "other", "mine").doesNotContainKey("command");
		other.restore(this.files, Range.all(), Set.of()).value();
		assertThat(state()).containsKey("mine").doesNotContainKeys("theirs", "other");
	}

	@Test
	void trialIsCommittedAsAStepOrLeavesNothing() throws IOException {
		Map<String, String> before = state();
		WorkspaceResult<WorkspaceTrial> begun = this.checkpoints.trial(this.files);
		assertThat(begun.isOk()).isEqualTo(hasTrials());
		assertThat(this.checkpoints.trialProblem(this.files) == null).isEqualTo(hasTrials());
		assumeThat(begun.isOk()).as("there are trials").isTrue();
		try (WorkspaceTrial trial = begun.value()) {
			change(trial.files(this.files));
		}
		assertThat(state()).isEqualTo(before);
		try (WorkspaceTrial trial = this.checkpoints.trial(this.files).value()) {
			WorkspaceFiles tried = trial.files(this.files);
			change(tried);
			assertThat(tried.display(path("a.txt"))).isEqualTo(this.files.display(path("a.txt")));
			assertThat(this.files.location(this.files.root().root())).isEqualTo(this.files.root().root());
			Path copy = tried.location(this.files.root().root());
			Files.writeString(copy.resolve("by-command"), "c");
			Files.writeString(copy.resolve("guarded/secret"), "changed");
			assertThat(state()).isEqualTo(before);
			assertThat(trial.changes(tried).value().done()).isFalse();
			assertThat(trial.commit(tried, Set.of()).value().done()).isTrue();
		}
		assertThat(state()).containsEntry("a.txt", "tried")
			.containsEntry("by-command", "c")
			.containsEntry("guarded/secret", "s")
			.doesNotContainKey("kb/foo.md");
		restore(Range.last(1));
		assertThat(state()).isEqualTo(before);
	}

	private void change(WorkspaceFiles tried) {
		tried.apply(new WorkspaceChange.Write(path("a.txt"), "tried".getBytes(StandardCharsets.UTF_8))).value();
		tried.apply(new WorkspaceChange.Delete(path("kb/foo.md"))).value();
		assertThat(tried.info(path("kb/foo.md")).isOk()).isFalse();
		assertThat(new String(tried.read(path("a.txt"), 0, 10).value().bytes(), StandardCharsets.UTF_8))
			.isEqualTo("tried");
		assertThat(tried.apply(new WorkspaceChange.Write(path("guarded/secret"), "x".getBytes(StandardCharsets.UTF_8)))
			.isOk()).isFalse();
	}

	@Test
	void whatMayNotBeReadIsLeftOutOfATrialAndKept() throws IOException {
		assumeThat(hasTrials()).as("there are trials").isTrue();
		assumeThat(System.getProperty("user.name")).as("SKIPPED: root may read everything").isNotEqualTo("root");
		Map<String, String> before = state();
		Path file = this.files.root().root().resolve("a.txt");
		Path directory = this.files.root().root().resolve("kb/deep");
		permit(file, "---------");
		permit(directory, "---------");
		try (WorkspaceTrial trial = this.checkpoints.trial(this.files).value()) {
			WorkspaceFiles tried = trial.files(this.files);
			assertThat(trial.leftOut()).containsExactly(path("a.txt"), path("kb/deep"));
			assertThat(tried.info(path("a.txt")).isOk()).isFalse();
			assertThat(trial.changes(tried).value().changes()).isEmpty();
			tried.apply(new WorkspaceChange.Delete(path("kb"), WorkspaceChange.Depth.RECURSIVE, null)).value();
			assertThat(obstacle(trial.commit(tried, Set.of()).value(), path("kb"))).isEqualTo(Obstacle.NOT_EMPTY);
			tried.apply(Changes.write(path("kb/deep/bar.md"), "x")).value();
			tried.apply(Changes.write(path("a.txt"), "x")).value();
			Rewind refused = trial.commit(tried, Set.of(path("a.txt"), path("kb/deep/bar.md"))).value();
			assertThat(refused.done()).isFalse();
			assertThat(obstacle(refused, path("a.txt"))).isEqualTo(Obstacle.REFUSED);
			assertThat(obstacle(refused, path("kb/deep/bar.md"))).isEqualTo(Obstacle.REFUSED);
			tried.apply(new WorkspaceChange.Delete(path("kb/deep"), WorkspaceChange.Depth.RECURSIVE, null)).value();
			tried.apply(new WorkspaceChange.Delete(path("a.txt"))).value();
			tried.apply(Changes.write(path("kb/foo.md"), "tried")).value();
			assertThat(trial.commit(tried, Set.of()).value().done()).isTrue();
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("---------");
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory))).isEqualTo("---------");
		}
		finally {
			permit(file, "rw-r--r--");
			permit(directory, "rwxr-xr-x");
		}
		before.put("kb/foo.md", "tried");
		assertThat(state()).isEqualTo(before);
	}

	private static void permit(Path path, String permissions) throws IOException {
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
	}

	@Test
	void changeOfOthersIsAConflictOfATrial() {
		assumeThat(hasTrials()).as("there are trials").isTrue();
		try (WorkspaceTrial trial = this.checkpoints.trial(this.files).value()) {
			WorkspaceFiles tried = trial.files(this.files);
			change(tried);
			foreign("a.txt", "theirs");
			Rewind refused = trial.commit(tried, Set.of()).value();
			assertThat(refused.done()).isFalse();
			assertThat(obstacle(refused, path("a.txt"))).isEqualTo(Obstacle.CONFLICT);
			assertThat(obstacle(refused, path("kb/foo.md"))).isNull();
			assertThat(state()).containsEntry("a.txt", "theirs").containsKey("kb/foo.md");
			assertThat(trial.commit(tried, Set.of(path("a.txt"))).value().done()).isTrue();
			assertThat(trial.commit(tried, Set.of()).isOk()).isFalse();
			assertThat(tried.apply(new WorkspaceChange.Delete(path("a.txt"))).isOk()).isFalse();
		}
		assertThat(state()).containsEntry("a.txt", "tried").doesNotContainKey("kb/foo.md");
	}

}
