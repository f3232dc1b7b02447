package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.TrialOverlays;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Obstacle;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recording;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.host.ProcessRoot;
import io.kairo.workspace.checkpoint.CheckpointListener.TrialEvent;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.MemoryDirectory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link SessionTrial}.
 */
class SessionTrialTests {

	private static final String SETUP = "mkdir -p src/a src/b empty guarded; "
			+ "for i in $(seq 9); do echo $i > src/a/f$i; echo b$i > src/b/g$i; done; ln -s f1 src/a/link; "
			+ "printf '#!/bin/sh\\n' > run; chmod 755 run; echo s > guarded/secret; head -c 90000 /dev/zero > big";

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private Path root;

	private Path trials;

	private CheckpointStore store;

	private WorkspaceCheckpoints checkpoints;

	private WorkspaceFiles files;

	@BeforeEach
	void open() throws Exception {
		this.root = Files.createDirectory(this.temp.toRealPath().resolve("work"));
		this.trials = this.temp.resolve("trials");
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
		this.store = new CheckpointStore(
				this.temp.resolve("state"), new CheckpointOptions(64 << 20, 256 << 20, 50_000, 5_000,
						Duration.ofDays(1), Duration.ofSeconds(20), true),
				new TrialOptions(this.trials, 5_000, 16 << 20, 2, null), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
		this.checkpoints = this.store.open(TenantContext.SINGLE, "session", workspace);
		this.files = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withWritePolicy(new WritePolicy(false, List.of("guarded"), List.of())))
			.open(workspace);
		run(this.root, SETUP);
	}

	@AfterEach
	void close() {
		this.store.close();
		assertThat(this.trials.toFile().list()).isNullOrEmpty();
	}

	@Test
	void eventsAreTold() throws Exception {
		List<TrialEvent> events = new CopyOnWriteArrayList<>();
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
		CheckpointListener listener = new CheckpointListener() {

			@Override
			public void measured(TenantContext tenant, long bytes, long maxBytes) {
			}

			@Override
			public void trial(TenantContext tenant, TrialEvent event) {
				assertThat(tenant.tenantId()).isEqualTo("acme");
				events.add(event);
			}

		};
		try (CheckpointStore told = new CheckpointStore(this.temp.resolve("told"), CheckpointOptions.defaults(),
				new TrialOptions(this.trials, 5_000, 16 << 20, 1, null), listener, Clock.systemUTC())) {
			WorkspaceCheckpoints session = told.open(new TenantContext("acme", "bob"), "session", workspace);
			WorkspaceTrial trial = session.trial(this.files, overlays()).value();
			assertThat(session.trial(this.files, overlays()).isOk()).isFalse();
			run(trial.files(this.files).location(this.root), "echo x > run");
			run(this.root, "echo theirs > run");
			assertThat(trial.commit(trial.files(this.files), Set.of()).value().done()).isFalse();
			trial.close();
			trial.close();
			trial = session.trial(this.files, overlays()).value();
			run(trial.files(this.files).location(this.root), "echo x > run");
			assertThat(trial.commit(trial.files(this.files), Set.of()).value().done()).isTrue();
			trial.close();
		}
		assertThat(events).containsExactly(TrialEvent.BEGUN, TrialEvent.CONFLICT, TrialEvent.DISCARDED,
				TrialEvent.BEGUN, TrialEvent.COMMITTED);
	}

	private static List<String> inDirectory(Path directory, String command) {
		ProcessRoot root = ProcessRoot.of(directory);
		List<String> arguments = new ArrayList<>();
		if (root != null) {
			arguments.addAll(List.of("nsenter", "--target", Long.toString(root.pid()), "--preserve-credentials",
					"--user", "--mount"));
		}
		arguments.addAll(List.of("bash", "-c", "cd \"$1\" && exec bash -c \"$2\"", "kairo",
				ProcessRoot.withoutRoot(directory).toString(), command));
		return arguments;
	}

	private static void run(Path directory, String command) throws Exception {
		Process process = new ProcessBuilder(inDirectory(directory, command)).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(process.waitFor()).isLessThan(128);
	}

	private Opened begin() {
		WorkspaceTrial trial = this.checkpoints.trial(this.files, overlays()).value();
		Opened opened = new Opened(trial, trial.files(this.files));
		assertThat(opened.directory().startsWith("/proc"))
			.isEqualTo(overlays() != TrialOverlays.NONE && trial.leftOut().isEmpty());
		return opened;
	}

	/**
	 * Returns the overlays for trials; by default there are none.
	 */
	TrialOverlays overlays() {
		return TrialOverlays.NONE;
	}

	private WorkspacePath path(String name) {
		return new WorkspacePath(this.root, name);
	}

	private static Map<String, @Nullable Obstacle> obstacles(Rewind rewind) {
		Map<String, @Nullable Obstacle> obstacles = new TreeMap<>();
		rewind.changes().forEach((change) -> obstacles.put(change.path().relative(), change.obstacle()));
		return obstacles;
	}

	static Stream<String> mutations() {
		return Stream.of("rm -rf src/b", "mv src/a/f1 src/a/f2", "mv src/a src/moved",
				"mv src/a tmp; mv src/b src/a; mv tmp src/b", "chmod 600 src/a/f3; chmod 700 src/b",
				"chmod 444 src/a/f4; echo new > new; chmod 400 new", "ln -sf /etc/passwd out", "ln -sfn b src/c",
				"mkdir burst; cd burst; for i in $(seq 100); do echo $i > n$i; done", ": > src/a/f6",
				"exec 3>>src/a/f7; rm -f src/a/f7; echo kept >&3; echo new > src/a/f7", "truncate -s 1 src/a/f8",
				"truncate -s 40k sparse; printf x | dd of=sparse seek=30000 bs=1 conv=notrunc 2>/dev/null",
				"touch -d 2000-01-01 src/a/f9", "rm -f src/a/f9; mkdir src/a/f9; echo x > src/a/f9/y",
				"rm -rf src/a; echo file > src/a", "rm -rf src/a; ln -s b src/a", "rm src/a/link; mkdir src/a/link",
				"rm src/a/link; echo file > src/a/link", "rm -rf empty", "mkdir -p empty/deep/er; chmod 500 empty/deep",
				"ln run hard; echo more >> hard", "ln run hard; rm run", "cp -r src twice; rm -rf src/a",
				"seq 99999 | head -c 49000 > large; cp large large2", "seq 99999 | head -c 70000 > big",
				"rm big; seq 99999 | head -c 70000 > big", "rm -rf src run big empty",
				"mkdir -p '" + "n".repeat(200) + "/ü ö'; echo x > '" + "n".repeat(200) + "/ü ö/\"q\"'",
				"echo x > src/a/f1; echo 1 > src/a/f1", "rm src/a/f1; echo 1 > src/a/f1",
				"mv src/a/f1 x; mv x src/a/f1", "sed -i s/1/one/ src/a/f1", "sed -i s/1/one/ src/a/link",
				"echo y >> src/a/link", "mkdir a; cd a; ln -s .. up; ln -s loop loop; ln -s nowhere dangling",
				"printf 'a\\0b' > nul; printf '' > nothing; printf '\\r\\n' > crlf",
				"echo x > $'tab\\tname'; echo y > ' leading'; echo z > 'trailing '", "chmod 000 run",
				"chmod 755 src/a/f1; chmod 4755 src/a/f2",
				"git init -q . && git add src && GIT_AUTHOR_DATE=2020-01-01T00:00:00Z GIT_COMMITTER_DATE=2020-01-01T00:00:00Z git -c user.name=a "
						+ "-c user.email=a@b commit -qm one",
				"rm -rf src/a && mkdir src/a && echo 9 > src/a/f9", "echo x > src/b/g1; rm -rf src/b; mkdir src/b");
	}

	@ParameterizedTest
	@MethodSource("mutations")
	void commitIsWhatTheCommandDoesInTheWorkspaceItself(String command) throws Exception {
		assumeThat(command.equals("chmod 000 run") && !System.getProperty("user.name").equals("root"))
			.as("the file cannot be read")
			.isFalse();
		Path oracle = Files.createDirectory(this.temp.resolve("oracle"));
		run(oracle, SETUP);
		run(oracle, command);
		Map<String, String> before = tree(this.root);
		Opened trial = begin();
		trial.run(command);
		assertThat(Tree.difference(tree(oracle), tree(trial.directory()))).isEmpty();
		assertThat(tree(this.root)).isEqualTo(before);
		Rewind preview = trial.changes();
		assertThat(tree(this.root)).isEqualTo(before);
		Rewind committed = trial.commit();
		assertThat(committed.done()).as(committed.toString()).isTrue();
		assertThat(committed.changes()).isEqualTo(preview.changes());
		Map<String, String> expected = tree(oracle);
		expected.keySet().removeIf((name) -> name.contains("\t")); // no path of a store
		expected.replaceAll((name, state) -> state.replace("rws", "rwx"));
		assertThat(Tree.difference(expected, tree(this.root))).isEmpty();
		if (!preview.changes().isEmpty()) {
			Rewind back = this.checkpoints.restore(this.files, Range.last(1), Set.of()).value();
			Map<String, @Nullable Obstacle> obstacles = obstacles(back);
			if (obstacles.remove("big") != null) { // it is too large to be kept
				expected.computeIfPresent("big", (name, state) -> before.replace(name, state));
				before.keySet().retainAll(Tree.of(this.root).keySet());
			}
			assertThat(obstacles.values()).allMatch(Objects::isNull);
			assertThat(Tree.difference(before, tree(this.root))).isEmpty();
		}
	}

	private static Map<String, String> tree(Path directory) throws IOException {
		Map<String, String> tree = Tree.of(directory);
		tree.remove(".git/index"); // has numbers of inodes
		return tree;
	}

	@Test
	void toolsAndCommandsShareTheFilesOfTheTrial() throws Exception {
		Opened trial = begin();
		WorkspacePath file = path("src/a/f1");
		trial.write("src/a/f1", "changed");
		assertThat(Files.readString(trial.directory().resolve("src/a/f1"))).isEqualTo("changed");
		trial.run("echo two > src/a/f2; rm src/a/f3");
		assertThat(trial.files().read(path("src/a/f2"), 0, 10).value().bytes()).isEqualTo(bytes("two\n"));
		assertThat(trial.files().info(path("src/a/f3")).isOk()).isFalse();
		assertThat(trial.files().display(file)).isEqualTo(this.files.display(file));
		assertThat(trial.files().locate(trial.directory().resolve("src/a/f1"))).isEqualTo(file);
		assertThat(trial.files().resolve(file.toPath().toString(), trial.files().root())).isEqualTo(file);
		assertThat(this.files.read(file, 0, 10).value().bytes()).isEqualTo(bytes("1\n"));
		trial.trial().close();
		assertThat(trial.files().apply(new WorkspaceChange.Write(file, bytes("x"))).isOk()).isFalse();
		assertThat(Files.readString(this.root.resolve("src/a/f1"))).isEqualTo("1\n");
	}

	@Test
	void nothingIsCommittedIfOthersChangedAFileOfIt() throws Exception {
		Opened trial = begin();
		trial.run("echo mine > src/a/f1; echo new > new; rm src/a/f2; echo mine > src/a/f3");
		run(this.root, "echo theirs > src/a/f1; echo theirs > new; rm src/a/f3; echo other > src/b/g1");
		Map<String, String> before = Tree.of(this.root);
		assertThat(obstacles(trial.changes())).containsEntry("src/a/f1", Obstacle.CONFLICT)
			.containsEntry("new", Obstacle.CONFLICT)
			.containsEntry("src/a/f3", Obstacle.CONFLICT)
			.containsEntry("src/a/f2", null)
			.hasSize(4);
		assertThat(trial.commit().done()).isFalse();
		assertThat(Tree.of(this.root)).isEqualTo(before);
		assertThat(trial.commit("src/a/f1", "new").done()).isFalse();
		assertThat(Tree.of(this.root)).isEqualTo(before);
		assertThat(trial.commit("src/a/f1", "new", "src/a/f3").done()).isTrue();
		assertThat(Files.readString(this.root.resolve("src/a/f1"))).isEqualTo("mine\n");
		assertThat(Files.readString(this.root.resolve("new"))).isEqualTo("new\n");
		assertThat(Files.readString(this.root.resolve("src/a/f3"))).isEqualTo("mine\n");
		assertThat(Files.readString(this.root.resolve("src/b/g1"))).isEqualTo("other\n");
		assertThat(this.root.resolve("src/a/f2")).doesNotExist();
	}

	@Test
	void nothingIsCommittedIfADirectoryHasEntriesOfOthers() throws Exception {
		Opened trial = begin();
		trial.run("rm -r src/b");
		run(this.root, "echo theirs > src/b/new");
		Rewind committed = trial.commit();
		assertThat(committed.done()).isFalse();
		assertThat(obstacles(committed)).containsEntry("src/b", Obstacle.NOT_EMPTY);
		assertThat(this.root.resolve("src/b/g1")).exists();
		trial.trial().close();
	}

	@Test
	void protectedPathsAndSpecialFilesAreNotCommitted() throws Exception {
		Opened trial = begin();
		trial.run("echo x > guarded/secret; mkfifo pipe; echo y > file");
		assertThat(obstacles(trial.commit())).containsOnlyKeys("file");
		assertThat(Files.readString(this.root.resolve("guarded/secret"))).isEqualTo("s\n");
		assertThat(this.root.resolve("pipe")).doesNotExist();
	}

	@Test
	void fileReplacedByAFifoIsNotCommitted() throws Exception {
		Opened trial = begin();
		trial.run("rm run; mkfifo run");
		assertThat(obstacles(trial.commit())).containsEntry("run", Obstacle.UNKEPT);
		assertThat(Files.readString(this.root.resolve("run"))).isEqualTo("#!/bin/sh\n");
		trial.trial().close();
	}

	@Test
	void commitWaitsForCommands() throws Exception {
		Opened trial = begin();
		try (Recording recording = this.checkpoints.begin(trial.files(), "sleep")) {
			WorkspaceResult<Rewind> committed = trial.trial().commit(trial.files(), Set.of());
			assertThat(committed).isInstanceOf(WorkspaceResult.Failure.class);
			assertThat(((WorkspaceResult.Failure<Rewind>) committed).code()).isEqualTo(WorkspaceErrorCode.CONFLICT);
			trial.run("echo x > done");
			recording.end();
			recording.end();
		}
		Rewind committed = trial.commit();
		assertThat(committed.done()).isTrue();
		assertThat(committed.steps()).containsExactly("sleep");
		assertThat(this.root.resolve("done")).hasContent("x");
		assertThat(trial.trial().commit(trial.files(), Set.of()).isOk()).isFalse();
	}

	@Test
	void commandsInATrialAreNoStepsOfTheSession() throws Exception {
		Opened trial = begin();
		try (Recording recording = this.checkpoints.begin(trial.files(), "touch")) {
			trial.run("echo x > created");
		}
		trial.trial().close();
		assertThat(this.checkpoints.changes(this.files, Range.all(), Set.of()).value().changes()).isEmpty();
		assertThat(this.root.resolve("created")).doesNotExist();
	}

	@Test
	void trialsAreBounded() throws Exception {
		Opened first = begin();
		Opened second = begin();
		assertThat(code(this.checkpoints.trial(this.files))).isEqualTo(WorkspaceErrorCode.QUOTA_EXCEEDED);
		first.trial().close();
		first.trial().close();
		begin().trial().close();
		second.trial().close();
		run(this.root, "truncate -s 20M huge");
		assertThat(code(this.checkpoints.trial(this.files))).isEqualTo(WorkspaceErrorCode.TOO_LARGE);
		run(this.root, "rm huge; mkdir many; cd many; seq 5000 | xargs touch");
		assertThat(code(this.checkpoints.trial(this.files))).isEqualTo(WorkspaceErrorCode.TOO_LARGE);
		assertThat(this.trials.toFile().list()).hasSize(1); // the claim
	}

	@Test
	void fileThatIsTooLargeToBeCommittedIsAnObstacle() throws Exception {
		Opened trial = begin();
		trial.run("head -c 17000000 /dev/zero > huge; head -c 9000000 /dev/zero > large");
		Rewind committed = trial.commit();
		assertThat(committed.done()).isFalse();
		assertThat(obstacles(committed)).containsEntry("huge", Obstacle.UNKEPT).containsEntry("large", null);
		trial.run("rm huge");
		assertThat(trial.commit().done()).isTrue();
		assertThat(this.root.resolve("large")).hasSize(9_000_000);
	}

	@Test
	void twoTrialsDoNotSeeEachOther() throws Exception {
		Opened one = begin();
		Opened other = begin();
		one.run("echo one > src/a/f1");
		assertThat(other.files().read(path("src/a/f1"), 0, 9).value().bytes()).isEqualTo(bytes("1\n"));
		other.run("echo other > src/a/f1; echo x > src/a/f2");
		assertThat(one.commit().done()).isTrue();
		assertThat(obstacles(other.commit())).containsEntry("src/a/f1", Obstacle.CONFLICT)
			.containsEntry("src/a/f2", null);
		other.trial().close();
		assertThat(Files.readString(this.root.resolve("src/a/f1"))).isEqualTo("one\n");
	}

	@Test
	void whatAKilledApplicationLeftIsRemovedByTheNext() throws Exception {
		Path left = Files.createDirectories(this.trials.resolve("0b7a1c9e-1111-4222-8333-444455556666-x/deep"));
		Files.createFile(this.trials.resolve("99999-1-0b7a1c9e-1111-4222-8333-444455556666.claim"));
		Files.writeString(left.resolve("f"), "x");
		begin().trial().close();
		assertThat(left.getParent()).doesNotExist();
	}

	@Test
	void changesOfToolsAreCheckedWhileOthersCommit() throws Exception {
		Opened trial = begin();
		List<Thread> writers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			String name = "t" + i;
			writers.add(new Thread(() -> {
				for (int n = 0; n < 200; n++) {
					WorkspaceResult<ChangeReport> written = trial.files()
						.apply(new WorkspaceChange.Write(path(name + "/" + n), bytes(name)));
					if (!written.isOk()) {
						return;
					}
					trial.written().add(name + "/" + n);
				}
			}));
		}
		writers.forEach(Thread::start);
		Thread.sleep(30);
		assertThat(trial.commit().done()).isTrue();
		for (Thread each : writers) {
			each.join();
		}
		assertThat(trial.written()).allSatisfy((name) -> assertThat(this.root.resolve(name)).exists());
	}

	private static WorkspaceErrorCode code(WorkspaceResult<?> result) {
		return ((WorkspaceResult.Failure<?>) result).code();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * A trial with its files.
	 */
	private record Opened(WorkspaceTrial trial, WorkspaceFiles files, Set<String> written) {

		Opened(WorkspaceTrial trial, WorkspaceFiles files) {
			this(trial, files, ConcurrentHashMap.newKeySet());
		}

		Path directory() {
			return this.files.location(this.files.root().root());
		}

		void run(String command) throws Exception {
			SessionTrialTests.run(directory(), command);
		}

		void write(String name, String text) {
			this.files.apply(new WorkspaceChange.Write(new WorkspacePath(this.files.root().root(), name), bytes(text)))
				.value();
		}

		Rewind changes() {
			return this.trial.changes(this.files).value();
		}

		Rewind commit(String... overwritten) {
			return this.trial.commit(this.files, Set.copyOf(
					Stream.of(overwritten).map((name) -> new WorkspacePath(this.files.root().root(), name)).toList()))
				.value();
		}

	}

}
