package io.kairo.workspace.local.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CompareExchange;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Changes the same files from several threads, factories and processes. The system
 * property {@code kairo.kill.rounds} sets the number of killed processes.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ConcurrentChangeTests {

	private static final int KILLS = Integer.getInteger("kairo.kill.rounds", 2);

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	Path root;

	Path state;

	@BeforeEach
	void createRoot() throws IOException {
		createRoot(this.temp.toRealPath());
	}

	private void createRoot(Path directory) throws IOException {
		this.root = TestWorkspaces.directory(directory.resolve("root"));
		this.state = directory.resolve("state");
		TestWorkspaces.file(this.root.resolve("counter"), "0");
	}

	private WorkspaceFiles open() {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(this.state))
			.open(TestWorkspaces.of(this.root));
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	@Test
	void sixteenThreadsLoseNoIncrement() throws Exception {
		ChangeProcess.count(TestWorkspaces.open(PathPolicy.ROOTS, this.root), 16, 10);
		assertThat(this.root.resolve("counter")).hasContent("160");
	}

	@Test
	void twoFactoriesLoseNoIncrement() throws Exception {
		all(() -> {
			ChangeProcess.count(open(), 4, 10);
			return null;
		}, 2);
		assertThat(this.root.resolve("counter")).hasContent("80");
	}

	@Test
	void twoProcessesLoseNoIncrement() throws Exception {
		Process other = ChangeProcess.start("count", this.root, this.state);
		try {
			WorkspaceFiles files = open();
			assertThat(other.inputReader().readLine()).isEqualTo("started");
			ChangeProcess.count(files, 8, 10);
			assertThat(other.waitFor(120, TimeUnit.SECONDS)).isTrue();
			assertThat(other.exitValue()).as(Files.readString(Path.of(this.state + "-errors.txt"))).isZero();
		}
		finally {
			other.destroyForcibly().waitFor();
		}
		assertThat(this.root.resolve("counter")).hasContent("160");
	}

	@Test
	void batchesOfTwoProcessesAreSerialised() throws Exception {
		Process one = ChangeProcess.start("forwards", this.root, this.state);
		Process other = ChangeProcess.start("backwards", this.root, this.state);
		Set<String> last = new HashSet<>();
		long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
		try (BufferedReader oneOutput = one.inputReader();
				BufferedReader otherOutput = other.inputReader();
				Writer oneInput = one.outputWriter();
				Writer otherInput = other.outputWriter()) {
			assertThat(oneOutput.readLine()).isEqualTo("started");
			assertThat(otherOutput.readLine()).isEqualTo("started");
			for (int round = 0; round < 20 || (last.size() < 2 && System.nanoTime() < deadline); round++) {
				boolean oneFirst = round % 2 == 0;
				(oneFirst ? oneInput : otherInput).append((oneFirst ? "one" : "other") + round + "\n").flush();
				(oneFirst ? otherInput : oneInput).append((oneFirst ? "other" : "one") + round + "\n").flush();
				assertThat(List.of(oneOutput.readLine(), otherOutput.readLine())).containsOnly("done");
				Set<String> tokens = new HashSet<>();
				for (String name : ChangeProcess.TOKEN_FILES) {
					tokens.add(Files.readString(this.root.resolve(name)));
				}
				assertThat(tokens).hasSize(1).isSubsetOf("one" + round, "other" + round);
				last.add(tokens.contains("one" + round) ? "one" : "other");
			}
		}
		finally {
			one.destroyForcibly().waitFor();
			other.destroyForcibly().waitFor();
		}
		assertThat(last).as("whose batch came last").containsExactlyInAnyOrder("one", "other");
	}

	@Test
	void batchesOverTheSameFilesDoNotInterleave() throws Exception {
		TestWorkspaces.file(this.root.resolve("other"), "0");
		TestWorkspaces.link(this.root.resolve("alias"), "counter");
		WorkspaceFiles files = open();
		all(() -> {
			for (int applied = 0; applied < 10;) {
				String value = TestWorkspaces.read(files, "counter");
				byte[] before = bytes(value);
				byte[] after = bytes(String.valueOf(Integer.parseInt(value) + 1));
				CompareExchange one = new CompareExchange(path((applied % 2 == 0) ? "counter" : "alias"), before,
						after);
				CompareExchange other = new CompareExchange(path("other"), before, after);
				applied += files.apply(new Batch((applied % 3 == 0) ? List.of(one, other) : List.of(other, one))).isOk()
						? 1 : 0;
			}
			return null;
		}, 6);
		assertThat(this.root.resolve("counter")).hasContent("60");
		assertThat(this.root.resolve("other")).hasContent("60");
	}

	@Test
	void readReturnsEitherTheOldOrTheNewContent() throws Exception {
		WorkspaceFiles files = open();
		byte[] zeros = new byte[100_000];
		byte[] ones = new byte[100_000];
		Arrays.fill(ones, (byte) 1);
		files.apply(new Write(path("file"), zeros)).value();
		String versions = FileVersion.ofContent(zeros) + FileVersion.ofContent(ones);
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<?> writer = executor.submit(() -> {
				for (int i = 0; i < 100; i++) {
					files.apply(new Write(path("file"), (i % 2 == 0) ? ones : zeros)).value();
				}
			});
			while (!writer.isDone()) {
				assertThat(versions).contains(files.read(path("file"), 0, 1).value().version());
			}
			writer.get();
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void changesOfKilledProcessesAreAtomicAndCleanedUp(@TempDir Path disk) throws Exception {
		createRoot(disk.toRealPath()); // a disk is slow enough for a change to be
										// interrupted
		Random random = new Random(7);
		int written = 0;
		int interrupted = 0;
		for (int round = 0; round < KILLS || (interrupted == 0 && round < 20 * KILLS); round++) {
			Process process = ChangeProcess.start("change", this.root, this.state);
			try (BufferedReader output = process.inputReader()) {
				assertThat(output.readLine()).isEqualTo("started");
				for (int change = random.nextInt(20); change > 0; change--) {
					assertThat(output.readLine()).isEqualTo("changed");
				}
				while (!isChanging()) {
					assertThat(process.isAlive()).isTrue();
				}
				assertThat(process.waitFor(random.nextInt(5), TimeUnit.MILLISECONDS)).isFalse();
			}
			finally {
				process.destroyForcibly();
				process.waitFor();
			}
			interrupted += hasTemporaryNames() ? 1 : 0;
			open();
			written += checkWhole();
		}
		assertThat(written).isPositive();
		assertThat(interrupted).as("killed in the middle").isPositive();
	}

	/**
	 * Returns whether a change is in progress in the root itself.
	 */
	private boolean isChanging() {
		return Stream.of(Objects.requireNonNull(this.root.toFile().list()))
			.anyMatch((name) -> name.startsWith(".kairo-"));
	}

	private boolean hasTemporaryNames() throws IOException {
		try (Stream<Path> paths = Files.walk(this.root)) {
			return paths.anyMatch((path) -> path.getFileName().toString().startsWith(".kairo-"));
		}
	}

	/**
	 * Checks that each change was atomic.
	 * @return the number of existing files
	 */
	private int checkWhole() throws IOException {
		List<String> directories = new ArrayList<>();
		try (Stream<Path> entries = Files.list(this.root)) {
			entries.map((entry) -> entry.getFileName().toString()).forEach((name) -> {
				assertThat(name).doesNotStartWith(".kairo-");
				if (name.startsWith("dir")) {
					directories.add(name);
				}
			});
		}
		for (String name : List.of("large", "copy", "moved/large")) {
			if (Files.exists(this.root.resolve(name))) {
				byte[] large = Files.readAllBytes(this.root.resolve(name));
				assertThat(large).as(name).hasSize(300_000).containsOnly(large[0]);
			}
		}
		if (Files.exists(this.root.resolve("exchanged"))) {
			assertThat(Files.readString(this.root.resolve("exchanged"))).matches("[0-9]+");
		}
		assertThat(hasTemporaryNames()).isFalse();
		assertThat(this.state.resolve("journal")).isEmptyDirectory();
		if (!Files.exists(this.root.resolve("one"))) {
			return 0;
		}
		String number = Files.readString(this.root.resolve("one"));
		assertThat(this.root.resolve("three")).hasContent(number);
		assertThat(this.root.resolve("dir" + number + "/two")).hasContent(number);
		return 1;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static void all(Callable<?> task, int threads) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<?>> running = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				running.add(executor.submit(task));
			}
			for (Future<?> one : running) {
				one.get(2, TimeUnit.MINUTES);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

}
