package io.kairo.workspace.local;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link DirectoryLister} and {@link TreeWalk}, through the store that has
 * them.
 */
class DiskTraversalTests {

	@TempDir
	Path temp;

	Path root;

	WorkspaceFiles files;

	@BeforeEach
	void openFiles() throws IOException {
		this.root = TestWorkspaces.directory(this.temp.toRealPath().resolve("root"));
		this.files = TestWorkspaces.open(PathPolicy.ROOTS, this.root);
	}

	WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	Path file(String relative, String text) throws IOException {
		return TestWorkspaces.file(this.root.resolve(relative), text);
	}

	void badName() throws Exception {
		Process process = new ProcessBuilder("sh", "-c",
				"touch \"$(printf 'bad\\377name')\" \"$(printf 'new\\nline')\"")
			.directory(this.root.toFile())
			.start();
		assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isZero();
	}

	@Nested
	class Listing {

		@Test
		void goesAsDeepAsAskedInTheOrderOfPaths() throws IOException {
			file("b/c/d/e", "x");
			file("a", "x");
			file("b-", "x");
			assertThat(listed(1)).containsExactly("a", "b", "b-");
			assertThat(listed(2)).containsExactly("a", "b", "b-", "b/c");
			assertThat(listed(9)).containsExactly("a", "b", "b-", "b/c", "b/c/d", "b/c/d/e");
			assertThat(files.list(path("b/c"), 1).value().entries()).singleElement()
				.satisfies((entry) -> assertThat(entry.path()).isEqualTo(path("b/c/d")));
		}

		@Test
		@Timeout(20)
		void showsLinksAndSpecialFilesUnopened() throws Exception {
			TestWorkspaces.link(root.resolve("link"), "/etc");
			TestWorkspaces.fifo(root.resolve("fifo"));
			file("file", "xyz");
			FileListing listing = files.list(path(""), 5).value();
			assertThat(listing.entries()).extracting(FileInfo::type)
				.containsExactly(FileType.OTHER, FileType.FILE, FileType.LINK);
			assertThat(listing.entries()).extracting(FileInfo::size).containsExactly(0L, 3L, 0L);
			assertThat(listing.entries()).extracting(FileInfo::version).containsOnlyNulls();
			assertThat(listing.complete()).isTrue();
		}

		@Test
		void countsNamesThatAreNoPaths() throws Exception {
			badName();
			file("good", "x");
			FileListing listing = files.list(path(""), 1).value();
			assertThat(listing.entries()).extracting((entry) -> entry.path().relative()).containsExactly("good");
			assertThat(listing.omitted()).isEqualTo(2);
		}

		@Test
		void isBoundedWithTheUpperLevelsWhole() throws IOException {
			for (int i = 0; i < DirectoryLister.MAX_ENTRIES; i++) {
				Files.createFile(TestWorkspaces.directory(root.resolve("a")).resolve("f" + i));
			}
			file("b/file", "x");
			file("z", "x");
			FileListing listing = files.list(path(""), 3).value();
			assertThat(listing.entries()).hasSize(DirectoryLister.MAX_ENTRIES);
			assertThat(listing.entries()).extracting((entry) -> entry.path().relative()).contains("a", "b", "z");
			assertThat(listing.entries()).isSortedAccordingTo((x, y) -> x.path().compareTo(y.path()));
			assertThat(listing.omitted()).isEqualTo(4);
			assertThat(files.list(path("a"), 3).value().complete()).isTrue();
		}

		@Test
		void ofAFileIsRefused() throws IOException {
			file("file", "x");
			TestWorkspaces.failure(files.list(path("file"), 1), WorkspaceErrorCode.NOT_A_DIRECTORY);
			assertThatIllegalArgumentException().isThrownBy(() -> files.list(path(""), 0));
		}

		private List<String> listed(int depth) {
			return files.list(path(""), depth)
				.value()
				.entries()
				.stream()
				.map((entry) -> entry.path().relative())
				.toList();
		}

	}

	@Nested
	class Walking {

		@Test
		@Timeout(20)
		void visitsEveryFileAndCountsTheRest() throws Exception {
			file("a/b/one", "1");
			file("two", "22");
			TestWorkspaces.link(root.resolve("a/link"), "/etc");
			TestWorkspaces.fifo(root.resolve("a/fifo"));
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
		void startsAtADirectoryAlsoBehindALink() throws IOException {
			file("a/b/one", "1");
			file("two", "2");
			TestWorkspaces.link(root.resolve("link"), "a");
			List<String> seen = new ArrayList<>();
			files.walk(path("link"), (file) -> {
				seen.add(file.path().relative());
				return Next.CONTINUE;
			}).value();
			assertThat(seen).containsExactly("link/b/one");
		}

		@Test
		void readsRangesOfAFile() throws IOException {
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
		void anEntryIsValidOnlyDuringItsVisit() throws IOException {
			file("file", "x");
			List<WorkspaceVisitor.Entry> kept = new ArrayList<>();
			walk((file) -> {
				kept.add(file);
				return Next.CONTINUE;
			});
			assertThatIllegalStateException().isThrownBy(() -> kept.get(0).read(new byte[1], 0));
		}

		@Test
		void aFileThatCannotBeReadIsCountedAndTheWalkGoesOn() throws IOException {
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
		void aFileThatBecameALinkIsNotRead() throws IOException {
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
		void skipsADirectory() throws IOException {
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
		void skipsTheRestOfADirectory() throws IOException {
			file("a/one", "x");
			file("a/two", "x");
			file("a/sub/three", "x");
			file("b/four", "x");
			WalkReport report = walk((file) -> file.path().relative().startsWith("a/") ? Next.SKIP : Next.CONTINUE);
			assertThat(report).isEqualTo(new WalkReport(2, 3, 0, 0, 0, false));
		}

		@Test
		void stops() throws IOException {
			for (int i = 0; i < 5; i++) {
				file("d" + i + "/file", "x");
			}
			WalkReport report = walk((file) -> Next.STOP);
			assertThat(report.files()).isOne();
			assertThat(report.stopped()).isTrue();
		}

		@Test
		void goesDownToABound() throws IOException {
			Path directory = root;
			for (int i = 0; i < TreeWalk.MAX_DEPTH + 10; i++) {
				directory = Files.createDirectory(directory.resolve("d"));
				Files.createFile(directory.resolve("f"));
			}
			WalkReport report = walk((file) -> Next.CONTINUE);
			assertThat(report.directories()).isEqualTo(TreeWalk.MAX_DEPTH);
			assertThat(report.unreadable()).isOne();
		}

		@Test
		void manyDirectoriesAreVisitedBySeveralThreadsEachOnce() throws IOException {
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
			assertThat(threads).filteredOn((thread) -> thread != Thread.currentThread()).noneMatch(Thread::isAlive);
		}

		@Test
		void anyThreadCanStopTheWalkOrFail() throws IOException {
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
		void errorsOfTheVisitorReachTheCaller() throws IOException {
			file("file", "x");
			assertThatIllegalStateException().isThrownBy(() -> walk((file) -> {
				throw new IllegalStateException("visitor");
			})).withMessage("visitor");
		}

		private WalkReport walk(WorkspaceVisitor visitor) {
			return files.walk(path(""), visitor).value();
		}

	}

}
