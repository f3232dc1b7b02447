package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WorkspaceVisitor.Next;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link DiskFiles}.
 */
class DiskFilesTests {

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

	Path large(String relative, int size) throws IOException {
		byte[] bytes = new byte[size];
		new Random(1).nextBytes(bytes);
		return Files.write(this.root.resolve(relative), bytes);
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
	class Reading {

		@Test
		void returnsTheRangeAskedFor() throws IOException {
			file("a/file", "0123456789");
			FileContent content = files.read(path("a/file"), 3, 4).value();
			assertThat(TestWorkspaces.text(content.bytes())).isEqualTo("3456");
			assertThat(content.path()).isEqualTo(path("a/file"));
			assertThat(content.offset()).isEqualTo(3);
			assertThat(content.size()).isEqualTo(10);
			assertThat(content.atEnd()).isFalse();
		}

		@Test
		void endsAtTheEndOfTheFile() throws IOException {
			file("file", "0123456789");
			assertThat(files.read(path("file"), 8, Integer.MAX_VALUE).value().bytes()).hasSize(2);
			for (long offset : new long[] { 10, 11, Long.MAX_VALUE }) {
				FileContent beyond = files.read(path("file"), offset, Integer.MAX_VALUE).value();
				assertThat(beyond.bytes()).isEmpty();
				assertThat(beyond.offset()).isEqualTo(offset);
				assertThat(beyond.size()).isEqualTo(10);
			}
		}

		@Test
		void negativeRangesAreRefused() {
			assertThatIllegalArgumentException().isThrownBy(() -> files.read(path("x"), -1, 1));
			assertThatIllegalArgumentException().isThrownBy(() -> files.read(path("x"), 0, -1));
		}

		@Test
		void directoriesAreNotRead() throws IOException {
			TestWorkspaces.directory(root.resolve("a"));
			TestWorkspaces.failure(files.read(path("a"), 0, 1), WorkspaceErrorCode.IS_A_DIRECTORY);
			TestWorkspaces.failure(files.read(path(""), 0, 1), WorkspaceErrorCode.IS_A_DIRECTORY);
		}

		@Test
		void aSmallFileHasItsHashAsVersionInEveryRange() throws IOException {
			file("file", "hello");
			String expected = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
			assertThat(files.read(path("file"), 0, 5).value().version()).isEqualTo(expected);
			assertThat(files.read(path("file"), 4, 1).value().version()).isEqualTo(expected);
			assertThat(files.info(path("file")).value().version()).isEqualTo(expected);
			large("edge", FileContent.HASHED_SIZE);
			assertThat(files.read(path("edge"), 4, 1).value().version()).startsWith("sha256:");
		}

		@Test
		void aLargeFileHasItsHashWhereItWasReadAsAWhole() throws IOException {
			Path large = large("large", FileContent.HASHED_SIZE + 1);
			FileContent whole = files.read(path("large"), 0, FileContent.HASHED_SIZE + 1).value();
			assertThat(whole.version()).startsWith("sha256:");
			assertThat(whole.bytes()).isEqualTo(Files.readAllBytes(large));
			assertThat(whole.atEnd()).isTrue();
			FileContent part = files.read(path("large"), 1 << 19, 1 << 18).value();
			assertThat(part.version()).startsWith("stat:" + (FileContent.HASHED_SIZE + 1) + "-");
			assertThat(part.bytes())
				.isEqualTo(Arrays.copyOfRange(Files.readAllBytes(large), 1 << 19, (1 << 19) + (1 << 18)));
			assertThat(files.info(path("large")).value().version()).isEqualTo(part.version());
		}

		@Test
		void aChangedLargeFileHasAnotherVersion() throws IOException {
			Path large = large("large", FileContent.HASHED_SIZE + 1);
			String before = files.info(path("large")).value().version();
			Files.setLastModifiedTime(large, FileTime.from(Instant.ofEpochSecond(1, 1)));
			String touched = files.info(path("large")).value().version();
			Files.write(large, new byte[1], StandardOpenOption.APPEND);
			assertThat(List.of(before, touched, files.info(path("large")).value().version())).doesNotHaveDuplicates();
		}

		@Test
		void anEmptyFileIsReadAndHasAVersion() throws IOException {
			file("empty", "");
			FileContent content = files.read(path("empty"), 0, 10).value();
			assertThat(content.bytes()).isEmpty();
			assertThat(content.version()).startsWith("sha256:e3b0c442");
		}

		@Test
		void namesOfEveryKindAreOpened() throws IOException {
			for (String name : new String[] { "~", " ", "a\\b", "-rf", "日本", "..x", "x".repeat(255), "@output" }) {
				file(name, name);
				assertThat(files.read(path(name), 0, 1000).value().bytes())
					.isEqualTo(name.getBytes(StandardCharsets.UTF_8));
			}
		}

		@Test
		void textIsReadByItsLogicalPath() throws IOException {
			file("kb/foo.md", "äöü");
			assertThat(files.tryReadFile("/kb\\./foo.md ").value().content()).isEqualTo("äöü");
			assertThat(files.fileExists("kb/foo.md")).isTrue();
			assertThat(files.fileExists("kb")).isFalse();
			assertThat(files.getFilePaths().value()).containsExactly("kb/foo.md");
		}

	}

	@Nested
	class Failing {

		@Test
		void deniedAccessIsToldWithoutThePathOfTheHost() {
			files = failing(new AccessDeniedException("/host/path"));
			assertThat(
					TestWorkspaces.failure(files.read(path("a"), 0, 1), WorkspaceErrorCode.PERMISSION_DENIED).message())
				.startsWith("'" + path("a").toPath() + "' cannot be read")
				.doesNotContain("/host/path");
		}

		@Test
		void otherErrorsAreToldByTheirReasonAlone() {
			files = failing(new FileSystemException("/host/path", null, "Input/output error"));
			assertThat(TestWorkspaces.failure(files.list(path("a"), 1), WorkspaceErrorCode.READ_FAILED).message())
				.contains("(Input/output error)")
				.doesNotContain("host");
		}

		@Test
		void entriesThatAreReplacedAgainAndAgainAreGivenUp() {
			files = failing(new RacedException());
			assertThat(TestWorkspaces.failure(files.info(path("a")), WorkspaceErrorCode.READ_FAILED).message())
				.contains("try again");
		}

		@Test
		void anErrorThatGoesAwayIsNotSeen() throws IOException {
			file("a", "x");
			AtomicInteger attempts = new AtomicInteger();
			files = open((directory) -> {
				if (attempts.incrementAndGet() < 5) {
					throw new RacedException();
				}
				return DirectoryOpener.platform().open(directory);
			});
			assertThat(files.info(path("a")).value().size()).isOne();
		}

		private WorkspaceFiles failing(IOException failure) {
			return open((directory) -> {
				throw failure;
			});
		}

		private WorkspaceFiles open(DirectoryOpener opener) {
			return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS, opener).open(TestWorkspaces.of(root));
		}

	}

	@Nested
	class Describing {

		@Test
		void tellsTypeSizeTimeAndMode() throws IOException {
			Path file = file("file", "12345");
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
			Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_000, 123_456_789)));
			FileInfo info = files.info(path("file")).value();
			assertThat(info.type()).isEqualTo(FileType.FILE);
			assertThat(info.size()).isEqualTo(5);
			assertThat(info.mode()).isEqualTo("rwxr-x---");
			assertThat(info.modified()).isEqualTo(Instant.ofEpochSecond(1_000, 123_456_789));
		}

		@Test
		void directoriesHaveNeitherSizeNorVersion() {
			FileInfo info = files.info(path("")).value();
			assertThat(info.type()).isEqualTo(FileType.DIRECTORY);
			assertThat(info.size()).isZero();
			assertThat(info.version()).isNull();
		}

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

	@Nested
	class Changing {

		@Test
		void isReadBackByTheTextMethods() {
			assertThat(files.tryWriteFile("/a//b", "x").value().actualPath()).isEqualTo("a/b");
			assertThat(files.tryReadFile("a/b").value().content()).isEqualTo("x");
			assertThat(files.tryCompareExchange("a/b", "x", "y").value().exchanged()).isTrue();
			assertThat(files.tryCompareExchange("a/b", "x", "z").value().exchanged()).isFalse();
			assertThat(files.tryReadFile("a/b").value().content()).isEqualTo("y");
		}

		@Test
		void ofAnotherWorkspaceIsAMistake() {
			WorkspacePath foreign = new WorkspacePath(Path.of("/foreign"), "x");
			WorkspacePath own = path("x");
			for (WorkspaceChange change : List.of(new WorkspaceChange.Write(foreign, new byte[0]),
					new WorkspaceChange.CompareExchange(foreign, new byte[0], new byte[0]),
					new WorkspaceChange.CreateDirectory(foreign), new WorkspaceChange.Delete(foreign),
					new WorkspaceChange.Move(own, foreign), new WorkspaceChange.Copy(own, foreign),
					new WorkspaceChange.Batch(List.of(new WorkspaceChange.Delete(foreign))))) {
				assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> files.apply(change));
			}
		}

	}

}
