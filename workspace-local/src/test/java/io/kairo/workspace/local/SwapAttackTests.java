package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads while somebody swaps files and directories for links that lead out.
 */
@Timeout(120)
class SwapAttackTests {

	private static final int ROUNDS = 2_000;

	private static final long MIN_SWAPS = 500;

	private static final String INSIDE = "inside";

	private static final String SECRET = "SECRET";

	@TempDir
	Path temp;

	Path root;

	Path outside;

	WorkspaceFiles files;

	int allowed;

	final Map<WorkspaceErrorCode, Integer> refused = new EnumMap<>(WorkspaceErrorCode.class);

	@BeforeEach
	void createTree() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("root"));
		this.outside = TestWorkspaces.directory(this.temp.resolve("outside"));
		TestWorkspaces.file(this.outside.resolve("file"), SECRET);
		TestWorkspaces.file(this.outside.resolve("sub/file"), SECRET);
		TestWorkspaces.file(this.outside.resolve("only-outside"), SECRET);
		TestWorkspaces.file(this.root.resolve("dir/file"), INSIDE);
		TestWorkspaces.file(this.root.resolve("dir/sub/file"), INSIDE);
		this.files = TestWorkspaces.open(PathPolicy.ROOTS, this.root);
	}

	@Test
	void aFileSwappedForALinkIsNeverReadOutside() throws Exception {
		Path file = this.root.resolve("dir/file");
		Path parked = this.root.resolve("parked");
		attack(() -> {
			Files.createSymbolicLink(parked, this.outside.resolve("file"));
			Files.move(parked, file, StandardCopyOption.ATOMIC_MOVE);
			Files.writeString(parked, INSIDE);
			Files.move(parked, file, StandardCopyOption.ATOMIC_MOVE);
		}, () -> {
			read("dir/file");
			info("dir/file");
			walk("dir");
		});
		assertThat(this.refused).containsKey(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
	}

	@Test
	void aDirectorySwappedForALinkIsNeverReadOutside() throws Exception {
		Path directory = this.root.resolve("dir");
		Path parked = this.root.resolve("parked");
		Path link = TestWorkspaces.link(this.root.resolve("link"), this.outside);
		attack(() -> {
			Files.move(directory, parked, StandardCopyOption.ATOMIC_MOVE);
			Files.move(link, directory, StandardCopyOption.ATOMIC_MOVE);
			Files.move(directory, link, StandardCopyOption.ATOMIC_MOVE);
			Files.move(parked, directory, StandardCopyOption.ATOMIC_MOVE);
		}, () -> {
			read("dir/file");
			read("dir/sub/file");
			info("dir/sub/file");
			list("dir");
			walk("dir");
			walk("");
		});
		assertThat(this.refused).containsKey(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
	}

	@Test
	void aDirectoryMovedAwayUnderALinkIsNeverReadOutside() throws Exception {
		Path deep = this.root.resolve("dir/sub");
		Path parked = this.outside.resolve("parked");
		TestWorkspaces.link(this.root.resolve("dir/sub/up"), "../file");
		TestWorkspaces.link(this.root.resolve("dir/sub/upper"), "../../dir/../../outside/file");
		attack(() -> {
			Files.move(deep, parked, StandardCopyOption.ATOMIC_MOVE);
			Files.move(parked, deep, StandardCopyOption.ATOMIC_MOVE);
		}, () -> {
			read("dir/sub/file");
			read("dir/sub/up");
			read("dir/sub/upper");
			list("dir/sub");
		});
	}

	@Test
	void aLinkWhoseTextIsSwappedNeverLeadsOutside() throws Exception {
		Path link = TestWorkspaces.link(this.root.resolve("link"), "dir");
		Path parked = this.root.resolve("parked");
		attack(() -> {
			Files.createSymbolicLink(parked, this.outside);
			Files.move(parked, link, StandardCopyOption.ATOMIC_MOVE);
			Files.createSymbolicLink(parked, Path.of("dir"));
			Files.move(parked, link, StandardCopyOption.ATOMIC_MOVE);
		}, () -> {
			read("link/file");
			list("link");
			walk("link");
		});
		assertThat(this.refused).containsKey(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
	}

	private void read(String relative) {
		WorkspaceResult<FileContent> result = this.files.read(path(relative), 0, 100);
		if (count(result)) {
			assertThat(TestWorkspaces.text(result.value().bytes())).isEqualTo(INSIDE);
		}
	}

	private void info(String relative) {
		WorkspaceResult<FileInfo> result = this.files.info(path(relative));
		if (count(result)) {
			assertThat(result.value().version()).isEqualTo(FileVersion.ofContent(INSIDE.getBytes()));
		}
	}

	private void list(String relative) {
		WorkspaceResult<FileListing> result = this.files.list(path(relative), 3);
		if (count(result)) {
			assertThat(result.value().entries()).noneMatch((entry) -> entry.path().name().equals("only-outside"));
		}
	}

	private void walk(String relative) {
		count(this.files.walk(path(relative), (file) -> {
			assertThat(file.path().name()).isNotEqualTo("only-outside");
			byte[] buffer = new byte[INSIDE.length()];
			assertThat(file.read(buffer, 0)).isEqualTo(buffer.length);
			assertThat(TestWorkspaces.text(buffer)).isEqualTo(INSIDE);
			return Next.CONTINUE;
		}));
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	private boolean count(WorkspaceResult<?> result) {
		if (result instanceof WorkspaceResult.Failure<?> failure) {
			this.refused.merge(failure.code(), 1, Integer::sum);
			assertThat(failure.message()).doesNotContain("outside");
			return false;
		}
		this.allowed++;
		return true;
	}

	private void attack(Swap swap, Runnable reads) throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		AtomicLong swaps = new AtomicLong();
		AtomicReference<Throwable> failure = new AtomicReference<>();
		CountDownLatch started = new CountDownLatch(1);
		Thread attacker = new Thread(() -> {
			try {
				while (!over.get()) {
					swap.run();
					swaps.incrementAndGet();
					started.countDown();
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
			long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
			for (int round = 0; round < ROUNDS || (swaps.get() < MIN_SWAPS && System.nanoTime() < deadline); round++) {
				reads.run();
			}
		}
		finally {
			over.set(true);
			attacker.join();
		}
		assertThat(failure.get()).isNull();
		assertThat(swaps.get()).as("swaps").isGreaterThanOrEqualTo(MIN_SWAPS);
		assertThat(this.allowed).as("allowed, beside %s", this.refused).isPositive();
		assertThat(this.refused).as("refused, beside %d allowed", this.allowed).isNotEmpty();
	}

	/**
	 * There and back.
	 */
	@FunctionalInterface
	private interface Swap {

		void run() throws IOException;

	}

}
