package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceChange;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Changes files while somebody swaps files and directories for links that lead out. The
 * system property {@code kairo.attack.rounds} makes it longer.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class WriteSwapAttackTests {

	private static final int ROUNDS = Integer.getInteger("kairo.attack.rounds", 1_000);

	private static final long MIN_SWAPS = 200;

	private static final String SECRET = "SECRET";

	@TempDir
	Path temp;

	Path root;

	Path outside;

	WorkspaceFiles files;

	Map<String, String> secrets;

	int garbage;

	int allowed;

	final Map<WorkspaceErrorCode, Integer> refused = new EnumMap<>(WorkspaceErrorCode.class);

	@BeforeEach
	void createTree() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("root"));
		this.outside = TestWorkspaces.directory(this.temp.resolve("outside"));
		for (String name : new String[] { "file", "sub/file", "tree/deep/file", "exchanged" }) {
			TestWorkspaces.file(this.outside.resolve(name), SECRET);
		}
		TestWorkspaces.file(this.root.resolve("dir/file"), "inside");
		TestWorkspaces.file(this.root.resolve("dir/sub/file"), "inside");
		TestWorkspaces.directory(this.root.resolve("garbage"));
		this.files = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(this.temp.resolve("state")))
			.open(TestWorkspaces.of(this.root));
		this.secrets = outside();
	}

	private Map<String, String> outside() throws IOException {
		Map<String, String> tree = new TreeMap<>();
		try (Stream<Path> paths = Files.walk(this.outside)) {
			for (Path path : (Iterable<Path>) paths::iterator) {
				tree.put(path.toString(), Files.isRegularFile(path) ? Files.readString(path) : "");
			}
		}
		return tree;
	}

	@Test
	void aFileSwappedForALinkIsNeverChangedOutside() throws Exception {
		Path file = this.root.resolve("dir/file");
		Path parked = this.root.resolve("parked");
		attack(() -> {
			Files.createSymbolicLink(parked, this.outside.resolve("file"));
			Files.move(parked, file, StandardCopyOption.ATOMIC_MOVE);
			Files.writeString(parked, "inside");
			Files.move(parked, file, StandardCopyOption.ATOMIC_MOVE);
		}, () -> Files.deleteIfExists(parked), (round) -> switch (round % 5) {
			case 0 -> write("dir/file");
			case 1 -> new CompareExchange(path("dir/file"), bytes("inside"), bytes("changed"));
			case 2 -> new Copy(path("dir/sub/file"), path("dir/file"), Overwrite.REPLACE, null);
			case 3 -> new Delete(path("dir/file"));
			default -> new Move(path("dir/file"), path("moved"), Overwrite.REPLACE, null);
		});
	}

	@Test
	void aDirectorySwappedForALinkIsNeverWrittenOutside() throws Exception {
		attackDirectory((round) -> switch (round % 5) {
			case 0 -> write("dir/file");
			case 1 -> write("dir/new" + round + "/a/file");
			case 2 -> new CreateDirectory(path("dir/made" + round));
			case 3 -> new Copy(path("dir/sub"), path("dir/copy" + round));
			default -> new CompareExchange(path("dir/exchanged"), bytes(SECRET), bytes("changed"));
		});
	}

	@Test
	void aDirectorySwappedForALinkIsNeverDeletedOutside() throws Exception {
		attackDirectory((round) -> switch (round % 4) {
			case 0 -> write("dir/tree/deep/file");
			case 1 -> new Delete(path("dir/file"));
			case 2 -> new Delete(path("dir/sub"), Depth.RECURSIVE, null);
			default -> new Delete(path("dir/tree"), Depth.RECURSIVE, null);
		});
	}

	@Test
	void aDirectorySwappedForALinkIsNeverMovedOutside() throws Exception {
		attackDirectory((round) -> switch (round % 4) {
			case 0 -> write("dir/file");
			case 1 -> new Move(path("dir/file"), path("dir/moved"), Overwrite.REPLACE, null);
			case 2 -> new Move(path("dir/sub"), path("dir/tree/inner/sub"));
			default -> new Move(path("dir/tree/inner/sub"), path("dir/sub"));
		});
	}

	private void attackDirectory(Changes changes) throws Exception {
		Path directory = this.root.resolve("dir");
		Path parked = this.root.resolve("parked");
		Path link = TestWorkspaces.link(this.root.resolve("link"), this.outside);
		attack(() -> {
			Files.move(directory, parked, StandardCopyOption.ATOMIC_MOVE);
			Files.move(link, directory, StandardCopyOption.ATOMIC_MOVE);
			LockSupport.parkNanos(300_000);
			Files.move(directory, link, StandardCopyOption.ATOMIC_MOVE);
			Files.move(parked, directory, StandardCopyOption.ATOMIC_MOVE);
		}, () -> {
			// The store made a directory of the name while there was none.
			if (Files.isSymbolicLink(directory)) {
				Files.move(directory, link, StandardCopyOption.ATOMIC_MOVE);
			}
			if (Files.exists(parked, LinkOption.NOFOLLOW_LINKS)) {
				if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
					Files.move(directory, this.root.resolve("garbage/" + this.garbage++));
				}
				Files.move(parked, directory, StandardCopyOption.ATOMIC_MOVE);
			}
		}, changes);
		assertThat(this.refused).containsKey(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	private Write write(String relative) {
		return new Write(path(relative), bytes("written"));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private void apply(WorkspaceChange change) {
		WorkspaceResult<?> result = this.files.apply(change);
		if (result instanceof WorkspaceResult.Failure<?> failure) {
			this.refused.merge(failure.code(), 1, Integer::sum);
			assertThat(failure.message()).doesNotContain("outside").doesNotContain(SECRET);
		}
		else {
			this.allowed++;
		}
	}

	private void attack(Swap swap, Swap repair, Changes changes) throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		AtomicLong swaps = new AtomicLong();
		AtomicReference<Throwable> failure = new AtomicReference<>();
		CountDownLatch started = new CountDownLatch(1);
		Random random = new Random(11);
		Thread attacker = new Thread(() -> {
			try {
				while (!over.get()) {
					try {
						swap.run();
						swaps.incrementAndGet();
						started.countDown();
						// Some changes are to get as far as the end of it.
						LockSupport.parkNanos(random.nextInt(3_000_000));
					}
					catch (FileSystemException ex) {
						repair(repair);
					}
				}
			}
			catch (IOException | RuntimeException ex) {
				failure.set(ex);
			}
			finally {
				started.countDown();
			}
		}, "attacker");
		attacker.start();
		try {
			assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
			for (int round = 0; round < ROUNDS; round++) {
				apply(changes.make(round));
			}
			long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
			for (int round = 0; swaps.get() < MIN_SWAPS && System.nanoTime() < deadline; round++) {
				apply(changes.make(round));
			}
		}
		finally {
			over.set(true);
			attacker.join();
		}
		assertThat(failure.get()).isNull();
		assertThat(outside()).isEqualTo(this.secrets);
		assertThat(swaps.get()).as("swaps").isGreaterThanOrEqualTo(MIN_SWAPS);
		assertThat(this.allowed).as("allowed, beside %s", this.refused).isPositive();
		assertThat(this.refused).as("refused, beside %d allowed", this.allowed).isNotEmpty();
		try (Stream<Path> paths = Files.walk(this.root)) {
			assertThat(paths.filter((path) -> path.getFileName().toString().startsWith(".kairo-"))).isEmpty();
		}
	}

	private static void repair(Swap repair) throws IOException {
		for (int attempt = 0;; attempt++) {
			try {
				repair.run();
				return;
			}
			catch (FileSystemException ex) {
				if (attempt == 1000) {
					throw ex;
				}
			}
		}
	}

	/**
	 * There and back.
	 */
	@FunctionalInterface
	private interface Swap {

		void run() throws IOException;

	}

	/**
	 * What to do in a round.
	 */
	@FunctionalInterface
	private interface Changes {

		WorkspaceChange make(int round);

	}

}
