package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Change;
import io.kairo.api.workspace.WorkspaceCheckpoints.Obstacle;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recorded;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recording;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.host.HostUser;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.MemoryDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link CheckpointStore}: its bounds, and what others do beside it.
 */
@Timeout(120)
class CheckpointStoreTests {

	private static final WritePolicy POLICY = new WritePolicy(false, List.of(".git/hooks", "**/.git/hooks"), List.of());

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private Path root;

	private Workspace workspace;

	private WorkspaceFiles files;

	private CheckpointStore store;

	@BeforeEach
	void open() throws IOException {
		this.root = Files.createDirectory(this.temp.toRealPath().resolve("work"));
		this.workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
		this.files = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withWritePolicy(POLICY).withStateDirectory(this.temp.resolve("journal")))
			.open(this.workspace);
		this.store = store(10_000_000, Clock.systemUTC());
	}

	@AfterEach
	void close() {
		this.store.close();
	}

	private CheckpointStore store(long maxBytes, Clock clock) {
		return new CheckpointStore(this.temp.resolve("state/checkpoints"),
				new CheckpointOptions(maxBytes, 2 * maxBytes, 1_000_000, 10_000, Duration.ofDays(1),
						Duration.ofSeconds(10), true),
				TrialOptions.defaults(this.temp.resolve("trials")), (tenant, bytes, most) -> {
				}, clock);
	}

	private WorkspaceCheckpoints session(CheckpointStore from, String session) {
		return from.open(TenantContext.SINGLE, session, this.workspace);
	}

	private WorkspaceCheckpoints session(String session) {
		return session(this.store, session);
	}

	private WorkspacePath path(String name) {
		return new WorkspacePath(this.root, name);
	}

	private void command(WorkspaceCheckpoints session, String command) throws Exception {
		try (Recording recording = session.begin(this.files, command)) {
			run(command);
		}
	}

	private void run(String command) throws Exception {
		assertThat(new ProcessBuilder("bash", "-c", command).directory(this.root.toFile()).start().waitFor()).isZero();
	}

	private void write(WorkspaceCheckpoints session, String name, String text) {
		session.recorded(this.files)
			.apply(new WorkspaceChange.Write(path(name), text.getBytes(StandardCharsets.UTF_8)))
			.value();
	}

	private Rewind rewind(WorkspaceCheckpoints session, Range range) {
		return session.restore(this.files, range, Set.of()).value();
	}

	private static Obstacle obstacle(Rewind rewind, String name) {
		return Objects.requireNonNull(rewind.changes()
			.stream()
			.filter((change) -> change.path().relative().equals(name))
			.findFirst()
			.orElseThrow()
			.obstacle());
	}

	private List<String> tree() throws IOException {
		try (Stream<Path> paths = Files.walk(this.root)) {
			return paths.map((path) -> this.root.relativize(path).toString()).sorted().toList();
		}
	}

	@Test
	void stepsOfASessionThatIsOpenedTwiceAreInOrder() {
		WorkspaceCheckpoints one = session("one");
		WorkspaceCheckpoints again = session("one");
		for (int i = 0; i < 9; i++) {
			write((i % 3 == 0) ? one : again, "file", Integer.toString(i));
		}
		assertThat(rewind(one, Range.last(3)).done()).isTrue();
		assertThat(this.root.resolve("file")).hasContent("5");
		assertThat(rewind(again, Range.all()).changes()).hasSize(1);
		assertThat(this.root.resolve("file")).doesNotExist();
	}

	@Test
	void oldestStepsAreDroppedFirstAndThoseOfACheckpointLast() throws Exception {
		WorkspaceCheckpoints one = session("one");
		WorkspaceCheckpoints two = session("two");
		two.take(this.files, "kept").value();
		command(two, "head -c 900000 /dev/urandom > two");
		command(two, "head -c 900000 /dev/urandom > two");
		for (int i = 0; i < 12; i++) {
			command(one, "head -c 900000 /dev/urandom > one");
		}
		assertThat(size()).isLessThan(10_000_000);
		assertThat(one.changes(this.files, Range.all(), Set.of()).value().steps().size()).isBetween(3, 10);
		assertThat(rewind(two, Range.since("kept")).changes()).extracting(Change::obstacle).containsOnlyNulls();
		assertThat(this.root.resolve("two")).doesNotExist();
	}

	private long size() throws IOException {
		try (Stream<Path> files = Files.walk(this.temp.resolve("state/checkpoints"))) {
			return files.filter(Files::isRegularFile).mapToLong((file) -> file.toFile().length()).sum();
		}
	}

	@Test
	void filesAsTheyAreTakeHalfOfTheRoom() throws Exception {
		run("for i in $(seq 9); do head -c 900000 /dev/urandom > f$i; done");
		WorkspaceCheckpoints session = session("one");
		assertThat(session.take(this.files, "start").value().unkept()).hasSize(4);
		for (int i = 0; i < 9; i++) {
			command(session, "echo " + i + " > small");
		}
		assertThat(session.changes(this.files, Range.all(), Set.of()).value().steps()).hasSize(9);
		assertThat(session.list()).hasSize(1);
	}

	@Test
	void stepsAreForgottenAtTheirAge() throws Exception {
		WorkspaceCheckpoints session = session("one");
		write(session, "a", "x");
		Files.walk(this.temp.resolve("state/checkpoints"))
			.filter((file) -> file.toString().endsWith(".step"))
			.forEach((file) -> {
				try {
					Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			});
		write(session, "b", "x");
		this.store.sweep();
		assertThat(session.changes(this.files, Range.all(), Set.of()).value().steps()).containsExactly("write b");
	}

	@Test
	void changesThroughAnotherStoreAreNotTheCommands() throws Exception {
		try (CheckpointStore second = store(10_000_000, Clock.systemUTC())) {
			WorkspaceCheckpoints one = session("one");
			try (Recording recording = one.begin(this.files, "long")) {
				write(session(second, "two"), "theirs", "x");
				run("echo x > mine");
				assertThat(recording.end().created()).isOne();
			}
			rewind(one, Range.all());
			assertThat(tree()).containsExactly("", "theirs");
		}
	}

	@Test
	void changesThroughAnotherStoreAreNoticedInASessionThatWasIdle() throws Exception {
		try (CheckpointStore second = store(10_000_000, Clock.systemUTC())) {
			WorkspaceCheckpoints one = session("one");
			WorkspaceCheckpoints two = session(second, "two");
			write(two, "early", "x");
			for (Path steps : sessions()) {
				Files.setLastModifiedTime(steps, FileTime.from(Instant.now().minusSeconds(60)));
			}
			for (String name : List.of("first", "second")) {
				try (Recording recording = one.begin(this.files, "long")) {
					write(two, name, "x");
					run("echo x >> mine");
					recording.end();
				}
			}
			rewind(one, Range.all());
			assertThat(tree()).containsExactly("", "early", "first", "second");
		}
	}

	private List<Path> sessions() throws IOException {
		try (Stream<Path> all = Files.walk(this.temp.resolve("state"))) {
			return all.filter((path) -> path.getParent().endsWith("sessions")).toList();
		}
	}

	@Test
	void checkpointDividesACommand() throws Exception {
		WorkspaceCheckpoints one = session("one");
		try (Recording recording = one.begin(this.files, "long")) {
			run("echo 1 > before");
			one.take(this.files, "here").value();
			run("echo 1 > after");
			recording.end();
		}
		rewind(one, Range.since("here"));
		assertThat(tree()).containsExactly("", "before");
		rewind(one, Range.all());
		assertThat(tree()).containsExactly("");
	}

	@Test
	void linkInPlaceOfADirectoryIsNotFollowed() throws Exception {
		run("mkdir d; echo x > d/f; echo y > d/g");
		WorkspaceCheckpoints one = session("one");
		command(one, "rm d/f");
		run("mv d e; ln -s e d");
		assertThat(obstacle(rewind(one, Range.all()), "d/f")).isEqualTo(Obstacle.CONFLICT);
		assertThat(tree()).containsExactly("", "d", "e", "e/g");
	}

	@Test
	void directoryThatACommandReplacedByALinkComesBack() throws Exception {
		run("mkdir d; echo x > d/f");
		WorkspaceCheckpoints one = session("one");
		command(one, "mv d e; ln -s e d; echo changed > d/f");
		rewind(one, Range.all());
		assertThat(tree()).containsExactly("", "d", "d/f");
		assertThat(Files.readString(this.root.resolve("d/f"))).isEqualTo("x\n");
	}

	@Test
	void whatTheStoreRefusesDoesNotHinderTheRest() throws Exception {
		WorkspaceCheckpoints one = session("one");
		command(one, "mkdir -p deps/lib/.git; echo x > other");
		Rewind rewind = rewind(one, Range.all());
		assertThat(rewind.done()).isTrue();
		assertThat(this.root.resolve("other")).doesNotExist();
		assertThat(rewind.changes()).extracting(Change::obstacle).contains(Obstacle.REFUSED);
	}

	@Test
	void damagedContentIsAnObstacle() throws Exception {
		run("echo one > a; echo two > b");
		WorkspaceCheckpoints one = session("one");
		command(one, "rm a b");
		String damaged = Sha256.hex("one\n".getBytes(StandardCharsets.UTF_8));
		Files.walk(this.temp.resolve("state/checkpoints")).filter((file) -> file.endsWith(damaged)).forEach((file) -> {
			try {
				Files.writeString(file, "xxx\n");
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		});
		assertThat(obstacle(rewind(one, Range.all()), "a")).isEqualTo(Obstacle.UNKEPT);
		assertThat(tree()).containsExactly("", "b");
	}

	@Test
	void nothingIsMadeAgainAfterAPartOfItWasUndone() throws Exception {
		run("echo 1 > a; echo 1 > c");
		WorkspaceCheckpoints one = session("one");
		command(one, "echo 2 > a; echo 2 > c");
		command(one, "echo 3 > a");
		run("echo person > c");
		assertThat(obstacle(rewind(one, Range.all()), "c")).isEqualTo(Obstacle.CONFLICT);
		assertThat(one.restore(this.files, Range.last(1), Set.of())).isInstanceOf(WorkspaceResult.Failure.class);
		rewind(one, Range.redo());
		assertThat(Files.readString(this.root.resolve("a"))).isEqualTo("3\n");
		rewind(one, Range.all().of(List.of(path("a"))));
		rewind(one, Range.last(1));
		assertThat(Files.readString(this.root.resolve("a"))).isEqualTo("1\n");
	}

	@Test
	void largeChangeIsNotDropped() throws Exception {
		run("for i in 1 2 3 4 5; do head -c 950000 /dev/urandom > f$i; done");
		WorkspaceCheckpoints one = session("one");
		one.take(this.files, "start").value();
		command(one, "for i in 1 2 3 4 5; do head -c 950000 /dev/urandom > f$i; done");
		assertThat(one.list()).hasSize(1);
		assertThat(rewind(one, Range.since("start")).changes()).hasSize(5)
			.extracting(Change::obstacle)
			.containsOnlyNulls();
	}

	@Test
	void workspaceThatIsNotUsedIsForgotten() throws Exception {
		WorkspaceCheckpoints one = session("one");
		try (Recording recording = one.begin(this.files, "nothing")) {
			recording.end();
		}
		this.store.sweep();
		assertThat(this.store.isTracked()).isTrue();
		this.store.sweep(Duration.ZERO);
		assertThat(this.store.isTracked()).isFalse();
		command(one, "echo x > a");
		rewind(one, Range.all());
		assertThat(tree()).containsExactly("");
	}

	@Test
	void repositoryInADeletedDirectoryDoesNotHinderTheRest() throws Exception {
		run("mkdir -p deps/other; echo x > deps/other/f; for r in . deps/lib; do "
				+ "mkdir -p $r/.git/objects $r/.git/refs/heads $r/.git/hooks; echo 'ref: x' > $r/.git/HEAD; done; "
				+ "echo y > deps/lib/g");
		WorkspaceCheckpoints one = session("one");
		command(one, "rm -rf deps; rm -rf .git/refs .git/objects .git/HEAD");
		Rewind rewind = rewind(one, Range.all());
		assertThat(rewind.done()).isTrue();
		assertThat(this.root.resolve("deps/other/f")).hasContent("x");
		assertThat(this.root.resolve("deps/lib/g")).hasContent("y");
		assertThat(rewind.changes()).extracting(Change::obstacle).contains(Obstacle.REFUSED);
	}

	@Test
	void interruptedRewindInARootThatIsGoneHindersNothing() throws Exception {
		SessionCheckpoints one = (SessionCheckpoints) session("one");
		Delta gone = new Delta(new WorkspacePath(this.temp.toRealPath().resolve("other"), "file"),
				Node.directory("rwxr-xr-x"), null);
		one.log().prepare(one.step(Step.Kind.REWIND, "rewind", List.of(gone), Set.of(), 1));
		try (CheckpointStore later = store(10_000_000, Clock.systemUTC())) {
			WorkspaceCheckpoints again = session(later, "one");
			command(again, "echo x > a");
			write(again, "b", "x");
			assertThat(rewind(again, Range.all()).done()).isTrue();
			assertThat(tree()).containsExactly("");
		}
	}

	@Test
	void additionsToADirectoryOfAnInterruptedRewindStay() throws Exception {
		run("mkdir d; echo x > d/f; mkdir e; echo y > e/g; mkdir locked; touch locked/h");
		SessionCheckpoints one = (SessionCheckpoints) session("one");
		command(one, "rm -r d e; chmod 500 locked; echo z > locked/h");
		List<Delta> deltas = one.log().steps().get(0).deltas().stream().map((delta) -> {
			return new Delta(delta.path(), delta.after(), delta.before());
		}).toList();
		// as a batch that was undone leaves it, in which a person added d/person, and the
		// directory was opened
		Path stage = Files.createDirectories(one.tracked().home().resolve("stage/stage"));
		List<String> names = deltas.stream().map((delta) -> delta.path().relative()).sorted().toList();
		for (String name : List.of("d/f", "e/g")) {
			Path copy = stage.resolve(String.valueOf(names.indexOf(name.substring(0, 1))));
			Files.writeString(Files.createDirectory(copy).resolve(name.substring(2)), "restored");
		}
		run("chmod 700 locked");
		Path pending = one.log().prepare(one.step(Step.Kind.REWIND, "rewind", deltas, Set.of(), 1));
		Files.setLastModifiedTime(pending, FileTime.from(Instant.now().plusMillis(50)));
		await().until(() -> {
			Files.writeString(stage.resolve(names.indexOf("d") + "/person"), "added");
			return Files.getLastModifiedTime(stage.resolve(names.indexOf("d") + "/person"))
				.compareTo(Files.getLastModifiedTime(pending)) > 0;
		});
		try (CheckpointStore later = store(10_000_000, Clock.systemUTC())) {
			session(later, "one").recorded(this.files);
		}
		assertThat(tree()).containsExactly("", "d", "d/f", "d/person", "locked", "locked/h");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.root.resolve("locked"))))
			.isEqualTo("r-x------");
		assertThat(stage).doesNotExist();
	}

	@Test
	void changeOfAnotherSessionDuringACheckpointIsNotTheCommands() throws Exception {
		SessionCheckpoints one = (SessionCheckpoints) session("one");
		write(session("two"), "theirs", "1");
		write(session("two"), "reverted", "1");
		try (CommandRecording recording = (CommandRecording) one.begin(this.files, "long")) {
			recording.expectScan();
			TreeScan scan = new TreeScan(this.files, one.tracked().latest(), one.tracked(), () -> false)
				.roots(one.roots());
			write(session("two"), "theirs", "2");
			write(session("two"), "theirs", "3");
			write(session("two"), "reverted", "2");
			one.tracked().alone(() -> {
				recording.split(scan);
				return scan;
			});
			recording.scanned();
			run("echo x > mine; printf 1 > reverted");
			assertThat(recording.end()).extracting(Recorded::created, Recorded::changed).containsExactly(1L, 1L);
		}
	}

	@Test
	void commandIsUndoneThatAnotherSessionContinued() throws Exception {
		SessionCheckpoints one = (SessionCheckpoints) session("one");
		try (CommandRecording recording = (CommandRecording) one.begin(this.files, "long")) {
			run("echo x > f");
			recording.expectScan();
			write(session("two"), "f", "y");
			run("echo x > f");
			recording.scanned();
			assertThat(recording.end().created()).isOne();
		}
	}

	@Test
	void changesInAnOverlappingWorkspaceAreNotTheCommands() throws Exception {
		run("mkdir sub");
		Path sub = this.root.resolve("sub");
		Workspace inner = new LocalDirectoryWorkspaceProvider(sub).acquire(WorkspaceRequest.writable(null));
		WorkspaceFiles innerFiles = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(this.temp.resolve("journal")))
			.open(inner);
		WorkspaceCheckpoints one = session("one");
		WorkspaceCheckpoints two = this.store.open(TenantContext.SINGLE, "two", inner);
		two.recorded(innerFiles)
			.apply(new WorkspaceChange.Write(new WorkspacePath(sub, "earlier"), new byte[0]))
			.value();
		try (Recording recording = one.begin(this.files, "long")) {
			two.recorded(innerFiles)
				.apply(new WorkspaceChange.Write(new WorkspacePath(sub, "theirs"), new byte[0]))
				.value();
			run("echo x > mine");
			assertThat(recording.end().created()).isOne();
		}
		try (Recording recording = two.begin(innerFiles, "long")) {
			write(one, "sub/outer", "x");
			write(one, "outer", "x");
			assertThat(recording.end().created()).isZero();
		}
		rewind(one, Range.all());
		assertThat(tree()).containsExactly("", "sub", "sub/earlier", "sub/theirs");
	}

	@Test
	void rootInAnotherOneIsRecordedOnce() throws Exception {
		run("mkdir sub; echo x > sub/f");
		Path sub = this.root.resolve("sub");
		LocalDirectoryWorkspaceProvider provider = new LocalDirectoryWorkspaceProvider(this.root);
		provider.added().add(sub);
		Workspace both = provider.acquire(WorkspaceRequest.writable(null));
		WorkspaceFiles opened = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(this.temp.resolve("journal")))
			.open(both);
		WorkspaceCheckpoints one = this.store.open(TenantContext.SINGLE, "one", both);
		one.recorded(opened).apply(new WorkspaceChange.Write(new WorkspacePath(sub, "new"), new byte[0])).value();
		try (Recording recording = one.begin(opened, "rm sub/f")) {
			run("rm sub/f");
			assertThat(recording.end().deleted()).isOne();
		}
		Rewind rewind = one.restore(opened, Range.all().of(List.of(new WorkspacePath(sub, "f"))), Set.of()).value();
		assertThat(rewind.changes()).extracting(Change::obstacle).hasSize(1).containsOnlyNulls();
		assertThat(tree()).containsExactly("", "sub", "sub/f", "sub/new");
		assertThat(one.restore(opened, Range.all(), Set.of()).value().changes()).extracting(Change::obstacle)
			.hasSize(1)
			.containsOnlyNulls();
		assertThat(tree()).containsExactly("", "sub", "sub/f");
	}

	@Test
	void storeThatACheckpointFilledKeepsWhatFollows() throws Exception {
		WorkspaceCheckpoints one = session("one");
		for (int i = 0; i < 4; i++) {
			command(one, "head -c 900000 /dev/urandom > a" + i);
			command(one, "rm a*");
		}
		for (int i = 0; i < 3; i++) {
			run("rm -f b*; for i in 1 2 3 4 5; do head -c 900000 /dev/urandom > b$i; done");
			one.take(this.files, "at " + i).value();
		}
		assertThat(one.take(this.files, "again").value().unkept()).isEmpty();
		command(one, "echo changed > b1");
		assertThat(rewind(one, Range.last(1)).changes()).extracting(Change::obstacle).containsOnlyNulls();
	}

	@Test
	void whatAnotherApplicationRemembersIsKept() throws Exception {
		run("echo 1 > f");
		WorkspaceCheckpoints one = session("one");
		command(one, "true");
		sweepAfter(Duration.ofMinutes(20));
		command(one, "echo 2 > f");
		assertThat(rewind(one, Range.all()).changes()).extracting(Change::obstacle).containsOnlyNulls();
		this.store.close();
		sweepAfter(Duration.ofDays(2));
		assertThat(Files.walk(this.temp.resolve("state/checkpoints"))).noneMatch(Files::isRegularFile);
	}

	private void sweepAfter(Duration time) {
		try (CheckpointStore another = store(10_000_000, Clock.offset(Clock.systemUTC(), time))) {
			another.sweep(Duration.ZERO);
			another.sweep(Duration.ZERO);
		}
	}

	@Test
	void manyRefusedEntriesDoNotHinderTheRest() throws Exception {
		WorkspaceCheckpoints one = session("one");
		String name = "n".repeat(210);
		command(one, "for i in $(seq 25); do mkdir -p l$i/.git; done; mkdir -p " + name + "/.git; echo x > other");
		assertThat(rewind(one, Range.all()).done()).isTrue();
		assertThat(this.root.resolve("other")).doesNotExist();
	}

	@Test
	void fileBelowADirectoryThatBecameALinkIsForgotten() throws Exception {
		WorkspaceCheckpoints one = session("one");
		command(one, "mkdir d; echo x > d/x");
		command(one, "mv d e; ln -s e d");
		assertThat(rewind(one, Range.all()).changes()).extracting(Change::obstacle).containsOnlyNulls();
		assertThat(tree()).containsExactly("");
	}

	@Test
	void interruptedThreadRecords() throws Exception {
		WorkspaceCheckpoints one = session("one");
		try (Recording recording = one.begin(this.files, "interrupted")) {
			run("echo x > a");
			Thread.currentThread().interrupt();
			assertThat(recording.end().created()).isOne();
			assertThat(Thread.interrupted()).isTrue();
		}
		rewind(one, Range.all());
		assertThat(tree()).containsExactly("");
	}

	@Test
	void permissionsAreUndone() throws Exception {
		run("mkdir d; echo x > d/f; echo y > g; mkdir e");
		WorkspaceCheckpoints one = session("one");
		command(one, "echo new > d/h; rm d/f; chmod 500 d; chmod 000 g; chmod 555 e");
		rewind(one, Range.all());
		assertThat(tree()).containsExactly("", "d", "d/f", "e", "g");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.root.resolve("d"))))
			.startsWith("rwx");
		assertThat(Files.readString(this.root.resolve("g"))).isEqualTo("y\n");
	}

	@Test
	void specialFilesOfACommandAreDeleted() throws Exception {
		WorkspaceCheckpoints one = session("one");
		command(one, "mkdir d; mkfifo d/pipe; ln -s nowhere d/link");
		rewind(one, Range.all());
		assertThat(tree()).containsExactly("");
	}

	@Test
	void changeWhileFilesAreExaminedIsNoticed() throws Exception {
		WorkspaceCheckpoints one = session("one");
		for (int i = 0; i < 20; i++) {
			command(one, "echo " + i + " > same");
		}
		for (int i = 18; i >= 0; i--) {
			rewind(one, Range.last(1));
			assertThat(Files.readString(this.root.resolve("same"))).isEqualTo(i + "\n");
		}
	}

	@Test
	void filesThatCannotBeReadAreNotTheCommands() throws Exception {
		assumeThat(Objects.requireNonNull(HostUser.current()).uid()).as("SKIPPED: root reads every file").isNotZero();
		run("mkdir secret; echo x > secret/f; chmod 000 secret; echo y > g; mkdir later; echo z > later/h");
		WorkspaceCheckpoints one = session("one");
		command(one, "chmod 755 secret; chmod 000 g later");
		Rewind rewind = rewind(one, Range.all());
		assertThat(obstacle(rewind, "later")).isEqualTo(Obstacle.REFUSED);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.root.resolve("secret"))))
			.isEqualTo("---------");
		run("chmod 755 secret later");
		assertThat(Files.readString(this.root.resolve("secret/f"))).isEqualTo("x\n");
		assertThat(Files.readString(this.root.resolve("g"))).isEqualTo("y\n");
		assertThat(Files.readString(this.root.resolve("later/h"))).isEqualTo("z\n");
	}

	@Test
	void restoredFilesBelongToTheOwnerOfTheirDirectory() throws Exception {
		assumeThat(Objects.requireNonNull(HostUser.current()).uid()).as("SKIPPED: the user is not root").isZero();
		run("mkdir d; echo x > d/f; mkdir d/e; chown -R 1234:1234 d");
		WorkspaceCheckpoints one = session("one");
		command(one, "rm -r d/f d/e");
		rewind(one, Range.all());
		for (String name : List.of("d/f", "d/e")) {
			assertThat(Files.getAttribute(this.root.resolve(name), "unix:uid", LinkOption.NOFOLLOW_LINKS))
				.isEqualTo(1234);
		}
	}

	@Test
	void recordingOfAFullDirectoryEnds() throws Exception {
		run("mkdir d; cd d; seq 11000 | xargs touch");
		WorkspaceCheckpoints one = session("one");
		try (Recording recording = one.begin(this.files, "too many")) {
			Recorded recorded = recording.end();
			assertThat(recorded.unrecorded()).contains("more than 10000 files");
		}
		try (Recording recording = one.begin(this.files, "too many again")) {
			assertThat(recording.end().unrecorded()).as("told once").isNull();
		}
		assertThat(one.changes(this.files, Range.all(), Set.of()).value().steps())
			.containsExactly("(not recorded) too many again", "(not recorded) too many");
		assertThat(rewind(one, Range.last(1)).changes()).isEmpty();
		assertThat(rewind(one, Range.last(1)).changes()).isEmpty();
		assertThat(one.restore(this.files, Range.last(1), Set.of())).isInstanceOf(WorkspaceResult.Failure.class);
	}

	@Test
	void undoneStepsWhoseRecordWasNotCompletedAreCompleted() throws Exception {
		WorkspaceCheckpoints one = session("one");
		command(one, "echo one > f");
		assertThat(rewind(one, Range.last(1)).changes()).hasSize(1);
		this.store.close();
		try (Stream<Path> records = Files.walk(this.temp.resolve("state/checkpoints"))) {
			Path last = records.filter((file) -> file.getFileName().toString().matches("0+2\\..*"))
				.findFirst()
				.orElseThrow();
			Files.move(last, last.resolveSibling(last.getFileName().toString().replaceFirst("\\..*", ".pending")));
		}
		this.store = store(10_000_000, Clock.systemUTC());
		assertThat(rewind(session("one"), Range.redo()).changes()).hasSize(1);
		assertThat(this.root.resolve("f")).hasContent("one");
	}

	@Test
	void changeWhoseContentWasDamagedIsNotUndone() throws Exception {
		WorkspaceCheckpoints one = session("one");
		Files.writeString(this.root.resolve("f"), "one");
		command(one, "echo two > f");
		try (Stream<Path> kept = Files.walk(this.temp.resolve("state/checkpoints"))) {
			for (Path file : kept.filter((each) -> each.toString().contains("/contents/") && Files.isRegularFile(each))
				.toList()) {
				Files.delete(file);
				Files.createFile(file);
			}
		}
		assertThat(one.changes(this.files, Range.last(1), Set.of()).value().changes()).extracting(Change::obstacle)
			.containsExactly(Obstacle.UNKEPT);
		assertThat(rewind(one, Range.last(1)).changes()).extracting(Change::obstacle).containsExactly(Obstacle.UNKEPT);
		assertThat(this.root.resolve("f")).hasContent("two");
	}

	@Test
	void killedJvmLeavesTheOldStateOrTheNew() throws Exception {
		run("for i in $(seq 40); do mkdir -p d$i; echo $i > d$i/f; done");
		List<String> old = tree();
		WorkspaceCheckpoints one = session("one");
		one.take(this.files, "start").value();
		command(one, "rm -rf d1 d2 d3 d4 d5; for i in $(seq 6 40); do echo changed > d$i/f; mkdir d$i/new; done");
		List<String> changed = tree();
		this.store.close();
		int rounds = Integer.getInteger("kairo.checkpoints.kills", 3);
		List<String> seen = new ArrayList<>();
		for (int i = 0; i < rounds; i++) {
			Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
					KilledRewindProgram.class.getName(), this.root.toString(), this.temp.toString())
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start();
			assertThat(process.getInputStream().read()).isEqualTo('\n');
			Thread.sleep(i * 37L % 300);
			process.destroyForcibly().waitFor();
			try (CheckpointStore next = store(10_000_000, Clock.systemUTC())) {
				WorkspaceFiles opened = KilledRewindProgram.files(this.root, this.temp);
				try (Recording other = session(next, "two").begin(opened, "of another session")) {
					assertThat(tree()).isIn(old, changed);
				}
				Rewind all = session(next, "one").changes(opened, Range.all(), Set.of()).value();
				assertThat(all.changes()).extracting(Change::obstacle).containsOnlyNulls();
				List<String> now = tree();
				assertThat(now).isIn(old, changed);
				seen.add(String.valueOf(now.equals(old)));
				assertThat(Files.readString(this.root.resolve("d40/f")))
					.isEqualTo(now.equals(old) ? "40\n" : "changed\n");
			}
		}
		assertThat(seen).hasSize(rounds);
		await().untilAsserted(() -> assertThat(tree()).noneMatch((name) -> name.contains(".kairo-")));
	}

}
