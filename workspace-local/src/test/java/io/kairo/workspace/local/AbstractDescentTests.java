package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every {@link Descent} does, by whichever {@link OpenDirectory}.
 */
abstract class AbstractDescentTests {

	static final String SECRET = "SECRET";

	@TempDir
	Path temp;

	Path root;

	Path added;

	Path outside;

	WorkspaceFiles files;

	abstract DirectoryOpener opener();

	@BeforeEach
	void createTree() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("root"));
		this.added = TestWorkspaces.directory(this.temp.resolve("added"));
		this.outside = TestWorkspaces.directory(this.temp.resolve("outside"));
		TestWorkspaces.file(this.outside.resolve("secret"), SECRET);
		TestWorkspaces.file(this.root.resolve("a/b/file"), "inside");
		TestWorkspaces.file(this.added.resolve("dir/file"), "added");
		this.files = open(PathPolicy.ROOTS, this.root, this.added);
	}

	WorkspaceFiles open(PathPolicy policy, Path... roots) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(policy), opener())
			.open(TestWorkspaces.of(roots));
	}

	WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	void assertFails(String relative, WorkspaceErrorCode code) {
		for (WorkspaceResult<?> result : List.of(this.files.read(path(relative), 0, 100),
				this.files.info(path(relative)), this.files.list(path(relative), 1),
				this.files.walk(path(relative), (file) -> {
					throw new AssertionError("visited " + file.path());
				}))) {
			assertThat(TestWorkspaces.failure(result, code).message()).doesNotContain(this.outside.toString())
				.doesNotContain(SECRET);
		}
	}

	String read(String relative) {
		return TestWorkspaces.text(this.files.read(path(relative), 0, 100).value().bytes());
	}

	@Nested
	class Links {

		@Test
		void toAFileInsideIsFollowed() throws IOException {
			TestWorkspaces.link(root.resolve("link"), "a/b/file");
			TestWorkspaces.link(root.resolve("a/b/up"), "../../a/b/file");
			TestWorkspaces.link(root.resolve("absolute"), root.resolve("a/b/file"));
			for (String link : new String[] { "link", "a/b/up", "absolute" }) {
				assertThat(read(link)).isEqualTo("inside");
				FileInfo info = files.info(path(link)).value();
				assertThat(info.type()).isEqualTo(FileType.FILE);
				assertThat(info.path()).isEqualTo(path(link));
			}
		}

		@Test
		void toADirectoryInsideIsFollowed() throws IOException {
			TestWorkspaces.link(root.resolve("link"), "a/./b/");
			TestWorkspaces.link(root.resolve("self"), ".");
			assertThat(read("link/file")).isEqualTo("inside");
			assertThat(read("self/self/link/file")).isEqualTo("inside");
			assertThat(files.list(path("link"), 1).value().entries()).singleElement()
				.satisfies((entry) -> assertThat(entry.path()).isEqualTo(path("link/file")));
			assertThat(files.info(path("self")).value().type()).isEqualTo(FileType.DIRECTORY);
		}

		@Test
		void parentsInTheTextAreThoseOfTheRealDirectory() throws IOException {
			TestWorkspaces.file(root.resolve("a/sibling"), "real sibling");
			TestWorkspaces.file(root.resolve("sibling"), "sibling by the text");
			TestWorkspaces.link(root.resolve("deep"), "a/b");
			TestWorkspaces.link(root.resolve("link"), "deep/../sibling");
			assertThat(read("link")).isEqualTo(Files.readString(root.resolve("link"))).isEqualTo("real sibling");
		}

		@Test
		void fromOneRootToAnotherIsFollowed() throws IOException {
			TestWorkspaces.link(root.resolve("absolute"), added.resolve("dir"));
			TestWorkspaces.link(root.resolve("relative"), "../added/dir");
			TestWorkspaces.link(added.resolve("dir/back"), "../../root/a/b/file");
			assertThat(read("absolute/file")).isEqualTo("added");
			assertThat(read("relative/file")).isEqualTo("added");
			assertThat(read("relative/back")).isEqualTo("inside");
		}

		@Test
		void toAnotherRootAreRefusedUnderAPolicyThatHasOnlyThePrimaryOne() throws IOException {
			TestWorkspaces.link(root.resolve("link"), added.resolve("dir"));
			files = open(PathPolicy.LOGICAL, root, added);
			assertFails("link/file", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void outsideAreRefused() throws IOException {
			TestWorkspaces.link(root.resolve("file"), outside.resolve("secret"));
			TestWorkspaces.link(root.resolve("directory"), outside);
			TestWorkspaces.link(root.resolve("relative"), "../outside/secret");
			TestWorkspaces.link(root.resolve("above"), "..");
			TestWorkspaces.link(root.resolve("far-above"), "../../../../../../etc/passwd");
			TestWorkspaces.link(root.resolve("top"), "/");
			for (String path : new String[] { "file", "directory", "directory/secret", "directory/missing", "relative",
					"above", "above/outside/secret", "above/root/a/b/file", "far-above", "top", "top/etc/passwd" }) {
				assertFails(path, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			}
		}

		@Test
		void danglingOutsideAreRefusedLikeOthers() throws IOException {
			TestWorkspaces.link(root.resolve("absolute"), outside.resolve("missing"));
			TestWorkspaces.link(root.resolve("relative"), "../nowhere/missing");
			TestWorkspaces.link(root.resolve("alike"), root + "ish/missing");
			assertFails("absolute", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertFails("relative", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertFails("relative/x", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			TestWorkspaces.link(root.resolve("roundabout"), temp.resolve("nowhere/../root/a/b/file"));
			assertFails("alike", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertFails("roundabout", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void danglingInsideAreNotFound() throws IOException {
			TestWorkspaces.link(root.resolve("absolute"), root.resolve("missing"));
			TestWorkspaces.link(root.resolve("relative"), "a/missing");
			assertFails("absolute", WorkspaceErrorCode.FILE_NOT_FOUND);
			assertFails("relative", WorkspaceErrorCode.FILE_NOT_FOUND);
			assertFails("relative/x", WorkspaceErrorCode.FILE_NOT_FOUND);
		}

		@Test
		void throughAnotherSpellingOfTheRootAreFollowed() throws IOException {
			Path alias = TestWorkspaces.link(temp.resolve("alias"), root);
			TestWorkspaces.link(root.resolve("link"), alias.resolve("a/b/file"));
			TestWorkspaces.link(root.resolve("missing"), alias.resolve("a/b/missing"));
			TestWorkspaces.link(root.resolve("roundabout"), outside + "/../root/a/b/file");
			TestWorkspaces.link(root.resolve("proc"), "/proc/self/root" + root + "/a/b/file");
			assertThat(read("link")).isEqualTo("inside");
			assertThat(read("roundabout")).isEqualTo("inside");
			assertThat(read("proc")).isEqualTo("inside");
			assertFails("missing", WorkspaceErrorCode.FILE_NOT_FOUND);
		}

		@Test
		void throughTheProcessDirectoryLeadOutToo() throws IOException {
			TestWorkspaces.link(root.resolve("root"), "/proc/self/root");
			TestWorkspaces.link(root.resolve("secret"), "/proc/self/root" + outside + "/secret");
			TestWorkspaces.link(root.resolve("cwd"), "/proc/self/cwd/pom.xml");
			TestWorkspaces.link(root.resolve("proc"), "/proc");
			TestWorkspaces.link(root.resolve("fd"), "/proc/self/fd/0");
			for (String path : new String[] { "root", "root/etc/passwd", "secret", "cwd", "proc", "proc/self/environ",
					"fd" }) {
				assertFails(path, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			}
		}

		@Test
		void inChainsAreFollowedUpToALimit() throws IOException {
			TestWorkspaces.file(root.resolve("link0"), "end");
			for (int i = 1; i <= Descent.MAX_LINKS + 1; i++) {
				TestWorkspaces.link(root.resolve("link" + i), "link" + (i - 1));
			}
			assertThat(read("link" + Descent.MAX_LINKS)).isEqualTo("end");
			assertFails("link" + (Descent.MAX_LINKS + 1), WorkspaceErrorCode.READ_FAILED);
		}

		@Test
		@Timeout(20)
		void inLoopsFail() throws IOException {
			TestWorkspaces.link(root.resolve("self-loop"), "self-loop");
			TestWorkspaces.link(root.resolve("ping"), "a/pong");
			TestWorkspaces.link(root.resolve("a/pong"), root.resolve("ping"));
			TestWorkspaces.link(root.resolve("growing"), "growing/x");
			assertFails("self-loop", WorkspaceErrorCode.READ_FAILED);
			assertFails("ping/x", WorkspaceErrorCode.READ_FAILED);
			assertFails("growing", WorkspaceErrorCode.READ_FAILED);
		}

		@Test
		void toAnywhereAreFollowedUnderHost() throws IOException {
			TestWorkspaces.link(root.resolve("link"), outside.resolve("secret"));
			files = open(PathPolicy.HOST, root);
			assertThat(read("link")).isEqualTo(SECRET);
			assertThat(TestWorkspaces.read(files, outside + "/secret")).isEqualTo(SECRET);
			assertThat(TestWorkspaces.read(files, "/proc/self/root/proc/version"))
				.isEqualTo(Files.readString(Path.of("/proc/version")));
		}

		@ParameterizedTest
		@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 })
		void anywhereMeanWhatTheyMeanToTheOperatingSystem(long seed) throws IOException {
			Random random = new Random(seed);
			List<String> names = List.of("a", "b", "c", "d");
			List<Path> directories = new ArrayList<>(List.of(root, added));
			for (int i = 0; i < 60; i++) {
				Path parent = directories.get(random.nextInt(directories.size()));
				Path path = parent.resolve(names.get(random.nextInt(names.size())));
				if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
					continue;
				}
				switch (random.nextInt(4)) {
					case 0 -> directories.add(Files.createDirectory(path));
					case 1 -> Files.writeString(path, "content of " + path);
					default -> TestWorkspaces.link(path, target(random, names));
				}
			}
			int read = 0;
			for (int i = 0; i < 300; i++) {
				StringBuilder relative = new StringBuilder(names.get(random.nextInt(names.size())));
				for (int j = random.nextInt(4); j > 0; j--) {
					relative.append('/').append(names.get(random.nextInt(names.size())));
				}
				read += assertLikeTheOperatingSystem(relative.toString(), "seed " + seed + ", case " + i) ? 1 : 0;
			}
			assertThat(read).as("seed %d: paths inside", seed).isPositive();
		}

		private String target(Random random, List<String> names) {
			List<String> parts = new ArrayList<>();
			for (int i = random.nextInt(4); i >= 0; i--) {
				parts.add((random.nextInt(3) == 0) ? ".." : names.get(random.nextInt(names.size())));
			}
			return switch (random.nextInt(6)) {
				case 0 -> root + "/";
				case 1 -> added + "/";
				case 2 -> outside + "/";
				default -> "";
			} + String.join("/", parts);
		}

		private boolean assertLikeTheOperatingSystem(String relative, String as) throws IOException {
			WorkspaceResult<FileInfo> info = files.info(path(relative));
			Path real;
			try {
				real = path(relative).toPath().toRealPath();
			}
			catch (IOException ex) {
				assertThat(info.isOk()).as("%s: %s: %s", as, relative, info).isFalse();
				return false;
			}
			boolean inside = real.startsWith(root) || real.startsWith(added);
			if (!inside) {
				TestWorkspaces.failure(info, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
				return false;
			}
			if (!info.isOk()) { // it left and came back through what is above the roots
				TestWorkspaces.failure(info, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
				return false;
			}
			if (Files.isRegularFile(real)) {
				assertThat(read(relative)).as("%s: %s", as, relative).isEqualTo(Files.readString(real));
			}
			else {
				assertThat(info.value().type()).as("%s: %s", as, relative).isEqualTo(FileType.DIRECTORY);
			}
			return true;
		}

	}

	@Nested
	class Entries {

		@Test
		void thatAreMissingAreNotFound() {
			assertFails("missing", WorkspaceErrorCode.FILE_NOT_FOUND);
			assertFails("a/missing/file", WorkspaceErrorCode.FILE_NOT_FOUND);
			assertThat(
					TestWorkspaces.failure(files.info(path("a/missing")), WorkspaceErrorCode.FILE_NOT_FOUND).message())
				.startsWith("'" + path("a/missing").toPath() + "' does not exist");
		}

		@Test
		void belowAFileHaveNoDirectory() {
			assertFails("a/b/file/x", WorkspaceErrorCode.NOT_A_DIRECTORY);
			assertFails("a/b/file/x/y", WorkspaceErrorCode.NOT_A_DIRECTORY);
		}

		@Test
		@Timeout(20)
		void thatAreNoRegularFilesAreRefusedAtOnce() throws Exception {
			TestWorkspaces.fifo(root.resolve("fifo"));
			TestWorkspaces.link(root.resolve("link"), "fifo");
			for (String path : new String[] { "fifo", "link" }) {
				TestWorkspaces.failure(files.read(path(path), 0, 1), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
				TestWorkspaces.failure(files.list(path(path), 1), WorkspaceErrorCode.NOT_A_DIRECTORY);
				assertThat(files.info(path(path)).value())
					.satisfies((info) -> assertThat(info.type()).isEqualTo(FileType.OTHER))
					.satisfies((info) -> assertThat(info.version()).isNull());
			}
			files = open(PathPolicy.HOST, root);
			TestWorkspaces.failure(files.read(new WorkspacePath(Path.of("/"), "dev/zero"), 0, 1),
					WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
		}

		@Test
		void withNamesTooLongForTheFileSystemFail() {
			assertFails("x".repeat(300), WorkspaceErrorCode.READ_FAILED);
		}

		@Test
		void ofARootThatDoesNotExistYetAreNone() {
			root = temp.resolve("later/root");
			files = open(PathPolicy.ROOTS, root);
			WorkspacePath top = files.root();
			TestWorkspaces.failure(files.read(path("x"), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
			TestWorkspaces.failure(files.info(top), WorkspaceErrorCode.FILE_NOT_FOUND);
			TestWorkspaces.failure(files.list(path("x"), 1), WorkspaceErrorCode.FILE_NOT_FOUND);
			assertThat(files.list(top, 3).value().entries()).isEmpty();
			assertThat(files.getFilePaths().value()).isEmpty();
			assertThat(temp.resolve("later")).doesNotExist();
		}

		@Test
		void ofARootThatComesLaterAreFound() throws IOException {
			Path later = temp.resolve("later/root");
			files = open(PathPolicy.ROOTS, later);
			TestWorkspaces.file(later.resolve("x"), "came");
			assertThat(TestWorkspaces.read(files, "x")).isEqualTo("came");
		}

		@Test
		void ofARootBehindALinkAreFoundByBothSpellings() throws IOException {
			Path alias = TestWorkspaces.link(temp.resolve("alias"), root);
			files = open(PathPolicy.ROOTS, alias);
			assertThat(TestWorkspaces.read(files, "a/b/file")).isEqualTo("inside");
			assertThat(TestWorkspaces.read(files, root + "/a/b/file")).isEqualTo("inside");
		}

		@Test
		void ofARootThatIsSwappedForALinkInsideAnotherRootStayInside() throws IOException {
			Path nested = TestWorkspaces.directory(root.resolve("nested"));
			Files.delete(nested);
			TestWorkspaces.link(nested, outside);
			files = open(PathPolicy.ROOTS, root, nested);
			TestWorkspaces.failure(files.read(new WorkspacePath(nested, "secret"), 0, 10),
					WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			TestWorkspaces.link(root.resolve("link"), outside.resolve("secret"));
			assertFails("link", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@ParameterizedTest
		@ValueSource(strings = { "a", "a/b", "a/b/file" })
		void withoutPermissionAreDenied(String path) throws IOException {
			Path target = root.resolve(path);
			Files.setPosixFilePermissions(target, Set.of());
			OrdinaryUser.required(!Files.isReadable(target));
			try {
				assertThat(
						TestWorkspaces.failure(files.read(path("a/b/file"), 0, 1), WorkspaceErrorCode.PERMISSION_DENIED)
							.message())
					.startsWith("'" + path("a/b/file").toPath() + "' cannot be read");
			}
			finally {
				Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
			}
		}

	}

}
