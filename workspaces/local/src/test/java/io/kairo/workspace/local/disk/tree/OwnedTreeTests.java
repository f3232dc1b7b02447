package io.kairo.workspace.local.disk.tree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.workspace.local.disk.MemoryDirectory;
import io.kairo.workspace.local.disk.Swap;
import io.kairo.workspace.local.disk.TestWorkspaces;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopiedTree;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopyBounds;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopyMethod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OwnedTree}.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class OwnedTreeTests {

	private static final int ROUNDS = "long".equals(System.getProperty("kairo.stress")) ? 100 : 25;

	private static final CopyBounds BOUNDS = new CopyBounds(100_000, 1 << 30);

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private Path source;

	private OwnedTree tree;

	@BeforeEach
	void prepare() throws IOException {
		this.temp = this.temp.toRealPath();
		this.source = Files.createDirectories(this.temp.resolve("source"));
		this.tree = new OwnedTree(this.temp.resolve("home/tree"));
	}

	private CopiedTree fill() {
		this.tree.create();
		return this.tree.fill(this.source, "source", BOUNDS);
	}

	private static Map<String, String> look(Path root) throws IOException {
		Map<String, String> found = new TreeMap<>();
		try (Stream<Path> paths = Files.walk(root)) {
			for (Path path : (Iterable<Path>) paths::iterator) {
				if (!path.equals(root)) {
					String text = Files.isSymbolicLink(path) ? "-> " + Files.readSymbolicLink(path)
							: PosixFilePermissions.toString(Files.getPosixFilePermissions(path)) + " "
									+ Files.getLastModifiedTime(path)
									+ (Files.isDirectory(path) ? "/" : Files.readString(path));
					found.put(root.relativize(path).toString(), text);
				}
			}
		}
		return found;
	}

	@Nested
	class Filling {

		@Test
		void fillCopiesContentPermissionsTimesAndLinks() throws Exception {
			TestWorkspaces.file(source.resolve("dir/sub/file"), "deep");
			TestWorkspaces.file(source.resolve("script"), "run");
			Files.setPosixFilePermissions(source.resolve("script"), PosixFilePermissions.fromString("rwxrwxr-x"));
			TestWorkspaces.file(source.resolve("secret"), "");
			Files.setPosixFilePermissions(source.resolve("secret"), PosixFilePermissions.fromString("r--------"));
			TestWorkspaces.link(source.resolve("dir/inside"), "sub/file");
			TestWorkspaces.link(source.resolve("outside"), "/etc");
			TestWorkspaces.link(source.resolve("dangling"), "nowhere");
			Files.setLastModifiedTime(source.resolve("script"), FileTime.from(Instant.parse("2001-02-03T04:05:06Z")));
			Files.setLastModifiedTime(source.resolve("dir"), FileTime.from(Instant.parse("2002-02-03T04:05:06Z")));
			Files.setPosixFilePermissions(source.resolve("dir/sub"), PosixFilePermissions.fromString("r-xr-x---"));
			CopiedTree copied = fill();
			assertThat(look(tree.directory())).isEqualTo(look(source)).hasSize(8);
			assertThat(copied.files()).isEqualTo(8);
			assertThat(copied.bytes()).isEqualTo(7);
		}

		@Test
		void fillCopiesPermissionsThatUmaskWithholdsFromNewFiles() throws Exception {
			for (String permissions : new String[] { "rwxrwxrwx", "rw-rw-rw-", "rw-r--r--", "r--------",
					"rw-------" }) {
				for (String name : new String[] { "one", "two", "three" }) {
					TestWorkspaces.file(source.resolve(permissions + "/" + name), "x");
					Files.setPosixFilePermissions(source.resolve(permissions + "/" + name),
							PosixFilePermissions.fromString(permissions));
				}
			}
			fill();
			assertThat(look(tree.directory())).isEqualTo(look(source)).hasSize(20);
		}

		@Test
		void fillDropsSetuidAndHardLinks() throws Exception {
			TestWorkspaces.file(source.resolve("one"), "x");
			Files.createLink(source.resolve("two"), source.resolve("one"));
			assertThat(new ProcessBuilder("chmod", "6755", source.resolve("one").toString()).start().waitFor())
				.isZero();
			fill();
			Path one = tree.directory().resolve("one");
			assertThat((int) Files.getAttribute(one, "unix:mode") & 07777).isEqualTo(0755);
			assertThat(Files.getAttribute(one, "unix:nlink")).isEqualTo(1);
			assertThat(Files.isSameFile(one, tree.directory().resolve("two"))).isFalse();
		}

		@Test
		void fillSkipsAndCountsSpecialFiles() throws Exception {
			TestWorkspaces.fifo(source.resolve("fifo"));
			TestWorkspaces.file(source.resolve("file"), "x");
			assertThat(fill().skipped()).isEqualTo(1);
			assertThat(look(tree.directory())).containsOnlyKeys("file");
		}

		@Test
		void fillLeavesOutWhatMayNotBeReadOrFails() throws IOException {
			TestWorkspaces.file(source.resolve("dir/seen"), "x");
			TestWorkspaces.file(source.resolve("dir/hidden"), "x");
			TestWorkspaces.file(source.resolve("hidden/deep/file"), "x");
			OwnedTree copy = new OwnedTree(temp.resolve("home/copy"),
					(directory) -> denying(DirectoryOpener.platform().open(directory)));
			copy.create();
			List<String> leftOut = new CopyOnWriteArrayList<>();
			copy.fill(source, "source", BOUNDS, leftOut::add);
			assertThat(leftOut).containsExactlyInAnyOrder("dir/hidden", "hidden");
			assertThat(look(copy.directory())).containsOnlyKeys("dir", "dir/seen");
			copy.remove();
			copy.create();
			assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> copy.fill(source, "source", BOUNDS))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.PERMISSION_DENIED));
		}

		@Test
		void fillDoesNotCountBytesThatItLeavesOut() throws IOException {
			TestWorkspaces.file(source.resolve("hidden"), "x".repeat(100));
			TestWorkspaces.file(source.resolve("seen"), "x");
			OwnedTree copy = new OwnedTree(temp.resolve("home/copy"),
					(directory) -> denying(DirectoryOpener.platform().open(directory)));
			copy.create();
			List<String> leftOut = new CopyOnWriteArrayList<>();
			CopiedTree copied = copy.fill(source, "source", new CopyBounds(10, 10), leftOut::add);
			assertThat(leftOut).containsExactly("hidden");
			assertThat(copied.bytes()).isEqualTo(1);
		}

		@Test
		void fillCopiesManyDirectoriesWithSeveralThreads() throws IOException {
			for (int i = 0; i < 700; i++) {
				TestWorkspaces.file(source.resolve("a" + i % 7 + "/b" + i % 50 + "/f" + i), "content " + i);
			}
			assertThat(fill().files()).isEqualTo(look(source).size());
			assertThat(look(tree.directory())).isEqualTo(look(source));
		}

		@Test
		void fillClonesOrCopiesLargeFiles() throws IOException {
			byte[] content = new byte[(16 << 20) + 1];
			new Random(7).nextBytes(content);
			Files.write(source.resolve("large"), content);
			CopiedTree copied = fill();
			assertThat(tree.directory().resolve("large")).hasBinaryContent(content);
			assertThat(copied.method()).isEqualTo(Set.of("btrfs", "bcachefs").contains(Files.getFileStore(temp).type())
					? CopyMethod.CLONE : CopyMethod.COPY);
		}

		@Test
		void fillRefusesTreeThatIsTooDeep() throws IOException {
			Files.createDirectories(source.resolve("d/".repeat(300)));
			assertThatExceptionOfType(WorkspaceException.class).isThrownBy(OwnedTreeTests.this::fill)
				.withMessageContaining("'source' is more than 256 directories deep")
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.TOO_LARGE));
		}

		@Test
		void fillDoesNotFollowLinkSwappedForADirectory() throws Exception {
			Path outside = TestWorkspaces.file(temp.resolve("outside/secret"), "secret").getParent();
			AtomicBoolean done = new AtomicBoolean();
			for (int i = 0; i < 50; i++) {
				TestWorkspaces.file(source.resolve("dir" + i + "/file"), "x");
			}
			Path link = TestWorkspaces.link(temp.resolve("link"), outside);
			Path garbage = TestWorkspaces.directory(temp.resolve("garbage"));
			Thread attacker = new Thread(() -> {
				for (int i = 0; !done.get(); i = (i + 1) % 50) {
					attack(new Swap.OfDirectory(source.resolve("dir" + i), link, temp.resolve("parked"), garbage));
				}
			});
			attacker.start();
			try {
				for (int i = 0; i < ROUNDS; i++) {
					OwnedTree copy = new OwnedTree(temp.resolve("home/copy" + i));
					copy.create();
					try {
						copy.fill(source, "source", BOUNDS);
					}
					catch (WorkspaceException ex) {
						// an entry was missing at that moment
					}
					assertThat(look(copy.directory()).keySet()).noneMatch((path) -> path.endsWith("secret"));
				}
			}
			finally {
				done.set(true);
				attacker.join();
			}
		}

	}

	private static void attack(Swap swap) {
		try {
			swap.there();
			swap.back();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Denies access to entries that are called hidden.
	 */
	private static OpenDirectory denying(OpenDirectory directory) {
		return (OpenDirectory) Proxy.newProxyInstance(OpenDirectory.class.getClassLoader(),
				new Class<?>[] { OpenDirectory.class }, (proxy, method, arguments) -> {
					if (Set.of("directory", "file").contains(method.getName())
							&& arguments[0].toString().equals("hidden")) {
						throw new AccessDeniedException("hidden");
					}
					try {
						Object result = method.invoke(directory, arguments);
						return (result instanceof OpenDirectory opened) ? denying(opened) : result;
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	/**
	 * Adds to a directory whenever it is about to be removed.
	 */
	private static OpenDirectory adding(OpenDirectory directory) {
		return (OpenDirectory) Proxy.newProxyInstance(OpenDirectory.class.getClassLoader(),
				new Class<?>[] { OpenDirectory.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("deleteDirectory")) {
						Files.writeString(directory.path().resolve((Path) arguments[0]).resolve("more"), "x");
					}
					try {
						Object result = method.invoke(directory, arguments);
						return (result instanceof OpenDirectory opened) ? adding(opened) : result;
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	@Nested
	class Removing {

		@BeforeEach
		void create() {
			tree.create();
		}

		private void assertGone() throws IOException {
			try (Stream<Path> left = Files.list(temp.resolve("home"))) {
				assertThat(left).isEmpty();
			}
		}

		@Test
		void removeDeletesUnreadableAndReadOnlyDirectories() throws IOException {
			for (String permissions : new String[] { "r-xr-xr-x", "---------", "-wx------", "r--------" }) {
				Path directory = Files.createDirectories(tree.directory().resolve(permissions + "/sub"));
				TestWorkspaces.file(directory.resolve("file"), "x");
				Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
				Files.setPosixFilePermissions(directory.getParent(), PosixFilePermissions.fromString(permissions));
			}
			tree.remove();
			assertGone();
		}

		@Test
		void removeDeletesTreeTooDeepForAPath() throws Exception {
			OpenDirectory directory = DirectoryOpener.platform().open(tree.directory());
			Path name = Path.of("a-name-of-twenty-bits");
			for (int i = 0; i < 400; i++) {
				try (OpenDirectory above = directory) {
					above.newDirectory(name);
					above.newFile(Path.of("file")).close();
					directory = above.directory(name);
				}
			}
			directory.close();
			tree.remove();
			assertGone();
		}

		@Test
		void removeDeletesLinksWithoutTheirTargets() throws IOException {
			TestWorkspaces.file(source.resolve("file"), "x");
			TestWorkspaces.link(tree.directory().resolve("link"), source);
			TestWorkspaces.link(tree.directory().resolve("dir/link"), "../../..");
			tree.remove();
			assertGone();
			assertThat(source.resolve("file")).exists();
		}

		@Test
		void removeDeletesEntriesAddedMeanwhile() throws Exception {
			Process process = new ProcessBuilder("bash", "-c",
					"echo started; end=$((SECONDS+1)); i=0; while [ $SECONDS -lt $end ]; do i=$((i+1)); "
							+ "mkdir -p sub/d$i; echo x > sub/d$i/f; done 2> /dev/null")
				.directory(tree.directory().toFile())
				.start();
			assertThat(process.getInputStream().read()).isEqualTo('s');
			OwnedTree patient = tree;
			long start = System.nanoTime();
			while (Files.exists(tree.directory(), LinkOption.NOFOLLOW_LINKS)
					&& System.nanoTime() - start < Duration.ofSeconds(30).toNanos()) {
				try {
					patient.remove();
				}
				catch (IOException ex) {
					assertThat(process.isAlive()).isTrue();
				}
			}
			process.waitFor();
			patient.remove();
			assertGone();
		}

		@Test
		void removeFailsIfEntriesAreAddedForTooLong() throws Exception {
			TestWorkspaces.file(tree.directory().resolve("a/b"), "x");
			OwnedTree restless = new OwnedTree(tree.directory(),
					(directory) -> adding(DirectoryOpener.platform().open(directory)));
			assertThatExceptionOfType(DirectoryNotEmptyException.class).isThrownBy(restless::remove);
			assertThat(tree.directory()).isNotEmptyDirectory();
			tree.remove();
			assertGone();
		}

		@Test
		void removeOfMissingTreeDoesNothing() throws IOException {
			tree.remove();
			tree.remove();
			new OwnedTree(temp.resolve("no/such/home")).remove();
			assertGone();
		}

	}

}
