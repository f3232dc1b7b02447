package io.kairo.workspace.checkpoint;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Change;
import io.kairo.api.workspace.WorkspaceCheckpoints.Obstacle;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recording;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.MemoryDirectory;
import io.kairo.workspace.quota.QuotaFilesFactory;
import io.kairo.workspace.quota.QuotaWorkspaceFiles;
import io.kairo.workspace.quota.WorkspaceQuota;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link SessionTrial} where something is missing, in the way or too much.
 */
class TrialFaultTests {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private Path root;

	private CheckpointStore store;

	private WorkspaceCheckpoints checkpoints;

	private WorkspaceFiles files;

	@BeforeEach
	void open() throws Exception {
		this.root = Files.createDirectory(this.temp.toRealPath().resolve("work"));
		Files.writeString(Files.createDirectory(this.root.resolve("dir")).resolve("f"), "old");
		Files.createDirectory(this.root.resolve("empty"));
		openStore(workspace());
	}

	private void openStore(Workspace workspace) {
		this.store = new CheckpointStore(
				this.temp.resolve("state"), new CheckpointOptions(2_000_000, 20_000_000, 50_000, 5_000,
						Duration.ofDays(1), Duration.ofSeconds(20), true),
				TrialOptions.defaults(this.temp.resolve("trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
		this.checkpoints = this.store.open(TenantContext.SINGLE, "session", workspace);
		this.files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace);
	}

	@AfterEach
	void close() {
		this.store.close();
	}

	private Workspace workspace() {
		return new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
	}

	private WorkspacePath path(String name) {
		return new WorkspacePath(this.root, name);
	}

	private static void write(WorkspaceFiles files, WorkspacePath path, byte[] content) {
		files.apply(new WorkspaceChange.Write(path, content)).value();
	}

	private static Path directory(WorkspaceFiles files) {
		return files.location(files.root().root());
	}

	@Test
	void missingRootIsEmptyAndCreatedByTheCommit() throws Exception {
		Files.delete(this.root.resolve("dir/f"));
		Files.delete(this.root.resolve("dir"));
		Files.delete(this.root.resolve("empty"));
		Files.delete(this.root);
		commitsAFile(this.files);
		assertThat(this.checkpoints.restore(this.files, Range.last(1), Set.of()).value().done()).isTrue();
		assertThat(this.root.resolve("new")).doesNotExist();
	}

	@Test
	void rootWhoseParentIsMissingIsEmptyAndCreatedByTheCommit() throws Exception {
		Path base = Files.createDirectory(this.temp.toRealPath().resolve("base"));
		this.root = base.resolve("tenant/task");
		Workspace workspace = new Rooted(this.root);
		this.checkpoints = this.store.open(TenantContext.SINGLE, "session", workspace);
		commitsAFile(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).below(base, PathPolicy.ROOTS)
			.open(workspace));
	}

	private void commitsAFile(WorkspaceFiles opened) {
		WorkspaceTrial trial = this.checkpoints.trial(opened).value();
		WorkspaceFiles tried = trial.files(opened);
		write(tried, path("new/f"), bytes("x"));
		assertThat(this.root).doesNotExist();
		assertThat(trial.commit(tried, Set.of()).value().done()).isTrue();
		assertThat(this.root.resolve("new/f")).hasContent("x");
	}

	@Test
	void nothingIsCommittedFromACopyThatIsGone() throws Exception {
		WorkspaceTrial trial = this.checkpoints.trial(this.files).value();
		WorkspaceFiles tried = trial.files(this.files);
		Files.move(directory(tried), this.temp.resolve("elsewhere"));
		assertThat(code(trial.commit(tried, Set.of()))).isEqualTo(WorkspaceErrorCode.CONFLICT);
		assertThat(this.root.resolve("dir/f")).hasContent("old");
		trial.close();
	}

	@Test
	void nothingIsCommittedWhileADirectoryOfTheCopyCannotBeRead() throws Exception {
		assumeThat(System.getProperty("user.name")).isNotEqualTo("root");
		WorkspaceTrial trial = this.checkpoints.trial(this.files).value();
		WorkspaceFiles tried = trial.files(this.files);
		write(tried, path("dir/new"), bytes("x"));
		write(tried, path("other"), bytes("x"));
		directory(tried).resolve("dir").toFile().setReadable(false);
		WorkspaceResult<Rewind> committed = trial.commit(tried, Set.of());
		assertThat(code(committed)).isEqualTo(WorkspaceErrorCode.PERMISSION_DENIED);
		assertThat(committed.toString()).contains("dir").doesNotContain("trials");
		assertThat(this.root.resolve("other")).doesNotExist();
		directory(tried).resolve("dir").toFile().setReadable(true);
		assertThat(trial.commit(tried, Set.of()).value().done()).isTrue();
		assertThat(this.root.resolve("dir/new")).hasContent("x");
	}

	@Test
	void oldStepsGiveWayToACommit() {
		WorkspaceFiles recorded = this.checkpoints.recorded(this.files);
		for (int i = 0; i < 50; i++) {
			write(recorded, path("changed"), random(i, 45_000));
		}
		WorkspaceTrial trial = this.checkpoints.trial(this.files).value();
		WorkspaceFiles tried = trial.files(this.files);
		for (int i = 0; i < 20; i++) {
			write(tried, path("new" + i), random(100 + i, 45_000));
		}
		Rewind changes = trial.changes(tried).value();
		assertThat(changes.changes()).hasSize(20).allMatch((change) -> change.obstacle() == null);
		assertThat(trial.commit(tried, Set.of()).value().done()).isTrue();
	}

	@Test
	void quotaOfTheWorkspaceBindsTheCopyAndTheCommit() throws Exception {
		WorkspaceFiles bound = new QuotaFilesFactory(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS),
				new WorkspaceQuota(1_000, 10))
			.open(workspace());
		WorkspaceTrial trial = this.checkpoints.trial(bound).value();
		WorkspaceFiles tried = trial.files(bound);
		write(tried, path("one"), random(1, 600));
		assertThat(code(tried.apply(new WorkspaceChange.Write(path("two"), random(2, 600)))))
			.isEqualTo(WorkspaceErrorCode.QUOTA_EXCEEDED);
		assertThat(Objects.requireNonNull(bound.usage()).bytes()).isEqualTo(3);
		Files.write(directory(tried).resolve("by-command"), random(3, 900));
		try (WorkspaceTrial other = this.checkpoints.trial(bound).value()) {
			write(other.files(bound), path("one"), random(4, 900));
		}
		assertThat(code(trial.commit(tried, Set.of()))).isEqualTo(WorkspaceErrorCode.QUOTA_EXCEEDED);
		assertThat(this.root.resolve("one")).doesNotExist();
		Files.delete(directory(tried).resolve("by-command"));
		assertThat(trial.commit(tried, Set.of()).value().done()).isTrue();
		assertThat(code(bound.apply(new WorkspaceChange.Write(path("two"), random(2, 600)))))
			.isEqualTo(WorkspaceErrorCode.QUOTA_EXCEEDED);
	}

	@Test
	void usageOfATrialTellsWhatCommandsWrote() throws Exception {
		WorkspaceFiles bound = new QuotaWorkspaceFiles(this.files, new WorkspaceQuota(1_000, 10), Duration.ZERO,
				Instant::now);
		try (WorkspaceTrial trial = this.checkpoints.trial(bound).value()) {
			WorkspaceFiles tried = trial.files(bound);
			Files.write(directory(tried).resolve("by-command"), random(3, 5_000));
			assertThat(Objects.requireNonNull(tried.usage()).bytes()).isEqualTo(5_003);
			assertThat(Objects.requireNonNull(tried.usage()).bytesShare()).isGreaterThan(1);
			assertThat(Objects.requireNonNull(bound.usage()).bytes()).isEqualTo(3);
		}
	}

	@Test
	void commandInATrialThatHasEndedIsNoStep() throws Exception {
		WorkspaceTrial trial = this.checkpoints.trial(this.files).value();
		WorkspaceFiles tried = trial.files(this.files);
		trial.close();
		Files.createDirectory(directory(tried));
		try (Recording late = this.checkpoints.begin(tried, "late")) {
			Files.writeString(directory(tried).resolve("f"), "x");
			assertThat(late.end().unrecorded()).contains("ended");
		}
		Rewind all = this.checkpoints.changes(this.files, Range.all(), Set.of()).value();
		assertThat(all.steps()).isEmpty();
		assertThat(all.changes()).isEmpty();
	}

	@Test
	void commitWithALargeFileIsCompletedAfterAKill() throws Exception {
		byte[] large = random(1, 60_000);
		WorkspaceTrial trial = this.checkpoints.trial(this.files).value();
		WorkspaceFiles tried = trial.files(this.files);
		write(tried, path("large"), large);
		Path mode = this.root.resolve("empty");
		Files.setPosixFilePermissions(directory(tried).resolve("empty"), PosixFilePermissions.fromString("rwx------"));
		assertThat(trial.commit(tried, Set.of()).value().done()).isTrue();
		this.store.close();
		Path file;
		try (Stream<Path> steps = Files.walk(this.temp.resolve("state"))) {
			file = steps.filter((each) -> each.toString().endsWith(".step")).findFirst().orElseThrow();
		}
		Step step = Objects.requireNonNull(StepLog.read(file));
		Files.delete(file);
		new StepLog(file.resolveSibling("")).prepare(step.with(step.deltas()
			.stream()
			.map((delta) -> delta.path().equals(path("large")) ? new Delta(delta.path(), null,
					new Node(FileType.FILE, large.length, "rw-r--r--", "copied", Sha256.hex(large))) : delta)
			.toList()));
		Files.setPosixFilePermissions(mode, PosixFilePermissions.fromString("rwxr-xr-x"));
		openStore(workspace());
		Rewind changes = this.checkpoints.changes(this.files, Range.last(1), Set.of()).value();
		assertThat(changes.changes()).extracting(Change::obstacle).containsExactly(null, Obstacle.UNKEPT);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mode))).isEqualTo("rwx------");
	}

	@Test
	void killDuringACommitLeavesTheOldOrTheNewState() throws Exception {
		Path from = Files.createDirectory(this.temp.resolve("first"));
		Path to = Files.createDirectory(this.temp.resolve("second"));
		KilledCommitProgram.fill(from, true);
		KilledCommitProgram.fill(to, false);
		this.root = Files.createDirectory(this.temp.toRealPath().resolve("killed"));
		KilledCommitProgram.fill(this.root, true);
		int rounds = Integer.getInteger("kairo.checkpoints.kills", 3);
		for (int i = 0; i < rounds; i++) {
			Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
					KilledCommitProgram.class.getName(), this.root.toString(), this.temp.toString())
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start();
			assertThat(process.getInputStream().read()).isEqualTo('\n');
			Thread.sleep(500 + i * 37L % 300);
			process.destroyForcibly().waitFor();
			try (CheckpointStore next = KilledCommitProgram.store(this.temp)) {
				WorkspaceFiles opened = KilledCommitProgram.files(this.root, this.temp);
				WorkspaceCheckpoints session = KilledCommitProgram.session(next, this.root);
				session.trial(opened).value().close();
				WorkspaceResult<Rewind> last = session.changes(opened, Range.last(1), Set.of());
				Map<String, String> now = Tree.of(this.root);
				boolean first = now.containsKey("d1");
				assertThat(Tree.difference(Tree.of(first ? from : to), now)).as("round %d", i).isEmpty();
				if (!last.isOk()) {
					assertThat(first).as("round %d", i).isTrue();
					continue;
				}
				assertThat(last.value().changes()).as("round %d", i)
					.filteredOn((change) -> !change.path().relative().equals("large"))
					.isNotEmpty()
					.allMatch((change) -> change.obstacle() == null);
			}
			assertThat(this.temp.resolve("trials").toFile().list()).isEmpty();
		}
	}

	private static byte[] random(int seed, int size) {
		byte[] bytes = new byte[size];
		new Random(seed).nextBytes(bytes);
		return bytes;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static WorkspaceErrorCode code(WorkspaceResult<?> result) {
		return ((WorkspaceResult.Failure<?>) result).code();
	}

	/**
	 * A workspace of one directory.
	 */
	private record Rooted(Path root) implements Workspace {

		@Override
		public String id() {
			return "rooted";
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.TASK;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}
