package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TreeWalk}, through the store that has it.
 */
class DiskWalkTests extends OneRootFixture {

	@Test
	@Timeout(20)
	void walkVisitsEveryFileAndCountsOtherEntries() throws Exception {
		file("a/b/one", "1");
		file("two", "22");
		TestWorkspaces.link(this.root.resolve("a/link"), "/etc");
		TestWorkspaces.fifo(this.root.resolve("a/fifo"));
		badName();
		Map<String, String> seen = new HashMap<>();
		List<String> directories = new ArrayList<>();
		WalkReport report = walk(new WorkspaceVisitor() {

			@Override
			public Next directory(WorkspacePath directory) {
				directories.add(directory.relative());
				return Next.CONTINUE;
			}

			@Override
			public Next file(Entry file) throws IOException {
				byte[] buffer = new byte[100];
				int count = file.read(buffer, 0);
				assertThat(file.size()).isEqualTo(count);
				assertThat(file.modified()).isAfter(Instant.EPOCH);
				seen.put(file.path().relative(), TestWorkspaces.text(Arrays.copyOf(buffer, count)));
				return Next.CONTINUE;
			}

		});
		assertThat(seen).containsOnly(Map.entry("a/b/one", "1"), Map.entry("two", "22"));
		assertThat(directories).containsExactly("", "a", "a/b");
		assertThat(report).isEqualTo(new WalkReport(2, 3, 1, 1, 2, false));
	}

	@Test
	void walkStartsAtDirectoryBehindALink() throws IOException {
		file("a/b/one", "1");
		file("two", "2");
		TestWorkspaces.link(this.root.resolve("link"), "a");
		List<String> seen = new ArrayList<>();
		this.files.walk(path("link"), (file) -> {
			seen.add(file.path().relative());
			return Next.CONTINUE;
		}).value();
		assertThat(seen).containsExactly("link/b/one");
	}

	@Test
	void visitorLearnsTheNamesOfADirectoryBeforeItsEntries() throws Exception {
		file("a/file", "");
		file("a/B/below", "");
		TestWorkspaces.link(this.root.resolve("a/link"), "nowhere");
		TestWorkspaces.fifo(this.root.resolve("a/fifo"));
		Map<String, List<String>> seen = new HashMap<>();
		walk(new WorkspaceVisitor() {

			@Override
			public void names(WorkspacePath directory, Predicate<String> mayHave) {
				seen.put(directory.relative(),
						Stream.of("file", "B", "b", "link", "fifo", "below", "missing", "fil")
							.filter(mayHave)
							.toList());
			}

			@Override
			public Next file(Entry file) {
				assertThat(seen).containsKey(file.path().parent().relative());
				return Next.CONTINUE;
			}

		});
		assertThat(seen).containsOnly(Map.entry("", List.of()),
				Map.entry("a", List.of("file", "B", "b", "link", "fifo")), Map.entry("a/B", List.of("below")));
	}

	@Test
	void anyNameMayBeInADirectoryOfManyNames() throws IOException {
		for (int i = 0; i < FirstEntries.MAX_AHEAD + 10; i++) {
			file("a/" + i, "");
		}
		List<String> seen = new ArrayList<>();
		WalkReport report = walk(new WorkspaceVisitor() {

			@Override
			public void names(WorkspacePath directory, Predicate<String> mayHave) {
				Stream.of("missing")
					.filter(mayHave)
					.map((name) -> directory.relative() + "/" + name)
					.forEach(seen::add);
			}

			@Override
			public Next file(Entry file) {
				return Next.CONTINUE;
			}

		});
		assertThat(seen).containsExactly("a/missing");
		assertThat(report.files()).isEqualTo(FirstEntries.MAX_AHEAD + 10);
	}

	@Test
	void readEndsWhereTheFileEndsNow() throws IOException {
		file("grown", "12");
		file("shrunk", "1234");
		Map<String, String> seen = new HashMap<>();
		walk((file) -> {
			String name = file.path().relative();
			file(name, name.equals("grown") ? "12345" : "1");
			byte[] buffer = new byte[10];
			int count = file.read(buffer, 0);
			seen.put(name, TestWorkspaces.text(Arrays.copyOf(buffer, count)) + " " + file.read(buffer, 2));
			return Next.CONTINUE;
		});
		assertThat(seen).containsOnly(Map.entry("grown", "12345 3"), Map.entry("shrunk", "1 -1"));
	}

	@Test
	void visitorReadsRangesOfAFile() throws IOException {
		file("file", "0123456789");
		walk((file) -> {
			byte[] buffer = new byte[4];
			assertThat(file.read(buffer, 2)).isEqualTo(4);
			assertThat(TestWorkspaces.text(buffer)).isEqualTo("2345");
			assertThat(file.read(buffer, 8)).isEqualTo(2);
			assertThat(file.read(buffer, 10)).isEqualTo(-1);
			assertThat(file.read(buffer, 11)).isEqualTo(-1);
			assertThat(file.read(new byte[0], 0)).isZero();
			return Next.CONTINUE;
		});
	}

	@Test
	void entryIsValidOnlyDuringItsVisit() throws IOException {
		file("file", "x");
		List<WorkspaceVisitor.Entry> kept = new ArrayList<>();
		walk((file) -> {
			kept.add(file);
			return Next.CONTINUE;
		});
		assertThatIllegalStateException().isThrownBy(() -> kept.get(0).read(new byte[1], 0));
	}

	@Test
	void unreadableFileIsCountedAndTheWalkContinues() throws IOException {
		file("a", "x");
		file("b", "x");
		WalkReport report = walk((file) -> {
			if (file.path().relative().equals("a")) {
				throw new IOException("cannot");
			}
			return Next.CONTINUE;
		});
		assertThat(report).isEqualTo(new WalkReport(1, 1, 0, 0, 1, false));
	}

	@Test
	void fileReplacedByALinkIsNotRead() throws IOException {
		Path file = file("file", "x");
		WalkReport report = walk((entry) -> {
			Files.delete(file);
			Files.createSymbolicLink(file, Path.of("/etc/passwd"));
			entry.read(new byte[10], 0);
			throw new AssertionError("was read");
		});
		assertThat(report.unreadable()).isOne();
	}

	@Test
	void directoriesAreVisitedInTheOrderOfTheirPaths() throws IOException {
		List<String> names = List.of("a", "a-b", "a.b", "a/below", "a0", "b", "b10", "b2", "c", "d", "e", "f", "g");
		for (String name : names) {
			file(name + "/file", "x");
		}
		List<String> seen = new ArrayList<>();
		walk((file) -> {
			seen.add(file.path().relative());
			return Next.CONTINUE;
		});
		assertThat(seen).containsExactly("a-b/file", "a.b/file", "a/file", "a/below/file", "a0/file", "b/file",
				"b10/file", "b2/file", "c/file", "d/file", "e/file", "f/file", "g/file");
	}

	@Test
	void visitorSkipsADirectory() throws IOException {
		file("a/one", "x");
		file("b/two", "x");
		List<String> seen = new ArrayList<>();
		WalkReport report = walk(new WorkspaceVisitor() {

			@Override
			public Next directory(WorkspacePath directory) {
				return directory.relative().equals("a") ? Next.SKIP : Next.CONTINUE;
			}

			@Override
			public Next file(Entry file) {
				seen.add(file.path().relative());
				return Next.CONTINUE;
			}

		});
		assertThat(seen).containsExactly("b/two");
		assertThat(report).isEqualTo(new WalkReport(1, 2, 0, 0, 0, false));
	}

	@Test
	void visitorSkipsTheRestOfADirectory() throws IOException {
		file("a/one", "x");
		file("a/two", "x");
		file("a/sub/three", "x");
		file("b/four", "x");
		WalkReport report = walk((file) -> file.path().relative().startsWith("a/") ? Next.SKIP : Next.CONTINUE);
		assertThat(report).isEqualTo(new WalkReport(2, 3, 0, 0, 0, false));
	}

	@Test
	void visitorStopsTheWalk() throws IOException {
		for (int i = 0; i < 5; i++) {
			file("d" + i + "/file", "x");
		}
		WalkReport report = walk((file) -> Next.STOP);
		assertThat(report.files()).isOne();
		assertThat(report.stopped()).isTrue();
	}

	@Test
	void interruptStopsTheWalkAndStaysSet() throws IOException {
		file("a/file", "x");
		Thread.currentThread().interrupt();
		try {
			assertThat(walk((file) -> Next.CONTINUE).stopped()).isTrue();
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void walkIsBoundedInDepth() throws IOException {
		Path directory = this.root;
		for (int i = 0; i < TreeWalk.MAX_DEPTH + 10; i++) {
			directory = Files.createDirectory(directory.resolve("d"));
			Files.createFile(directory.resolve("f"));
		}
		WalkReport report = walk((file) -> Next.CONTINUE);
		assertThat(report.directories()).isEqualTo(TreeWalk.MAX_DEPTH);
		assertThat(report.unreadable()).isOne();
	}

	@Test
	void manyDirectoriesAreVisitedOnceBySeveralThreads() throws IOException {
		for (int i = 0; i < 60; i++) {
			for (int j = 0; j < 5; j++) {
				file("d" + i + "/e" + j + "/file", "x");
			}
		}
		Set<String> directories = ConcurrentHashMap.newKeySet();
		Set<String> seen = ConcurrentHashMap.newKeySet();
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		WalkReport report = walk(new WorkspaceVisitor() {

			@Override
			public Next directory(WorkspacePath directory) {
				assertThat(directories.add(directory.relative())).isTrue();
				return Next.CONTINUE;
			}

			@Override
			public Next file(Entry file) throws IOException {
				threads.add(Thread.currentThread());
				assertThat(file.read(new byte[1], 0)).isOne();
				assertThat(seen.add(file.path().relative())).isTrue();
				assertThat(directories).contains(file.path().relative().replaceAll("/file$", ""));
				return Next.CONTINUE;
			}

		});
		assertThat(report).isEqualTo(new WalkReport(300, 361, 0, 0, 0, false));
		assertThat(seen).hasSize(300);
		if (Runtime.getRuntime().availableProcessors() > 1) {
			assertThat(threads).hasSizeGreaterThan(1);
		}
	}

	@Test
	void anyThreadCanStopOrFailTheWalk() throws IOException {
		for (int i = 0; i < 200; i++) {
			file("d" + i + "/file", "x");
		}
		AtomicInteger visits = new AtomicInteger();
		WalkReport report = walk((file) -> (visits.incrementAndGet() == 50) ? Next.STOP : Next.CONTINUE);
		assertThat(report.stopped()).isTrue();
		assertThat(report.files()).isBetween(50L, 53L);
		assertThatIllegalStateException().isThrownBy(() -> walk((file) -> {
			if (visits.incrementAndGet() > 150) {
				throw new IllegalStateException("visitor");
			}
			return Next.CONTINUE;
		})).withMessage("visitor");
	}

	@Test
	void errorsOfTheVisitorAreThrownToTheCaller() throws IOException {
		file("file", "x");
		assertThatIllegalStateException().isThrownBy(() -> walk((file) -> {
			throw new IllegalStateException("visitor");
		})).withMessage("visitor");
	}

	private WalkReport walk(WorkspaceVisitor visitor) {
		return this.files.walk(path(""), visitor).value();
	}

}
