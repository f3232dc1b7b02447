package io.kairo.host;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link TreeDeletion}.
 */
@Timeout(120)
@EnabledOnOs({ OS.LINUX, OS.MAC })
class TreeDeletionTests {

	private static final int ROUNDS = "long".equals(System.getProperty("kairo.stress")) ? 6 : 2;

	@TempDir
	Path temp;

	private Path outside;

	@BeforeEach
	void createOutside() throws IOException {
		this.outside = Files.createDirectories(this.temp.resolve("outside/below")).getParent();
		Files.createFile(this.outside.resolve("kept"));
		Files.createFile(this.outside.resolve("below/kept"));
	}

	private void assertOutsideIsComplete() {
		assertThat(this.outside.resolve("kept")).exists();
		assertThat(this.outside.resolve("below/kept")).exists();
	}

	@Test
	void deleteRemovesDirectoryWithItsContents() throws IOException {
		Path tree = Files.createDirectories(this.temp.resolve("tree/a/b/c"));
		Files.createFile(tree.resolve("file"));
		TreeDeletion.delete(this.temp.resolve("tree"));
		assertThat(this.temp.resolve("tree")).doesNotExist();
	}

	@Test
	void deleteRemovesDirectoriesWithoutAccessAndFollowsNoLink() throws IOException {
		Path tree = Files.createDirectories(this.temp.resolve("tree/a/b/c"));
		Files.createFile(tree.resolve("file"));
		Files.createSymbolicLink(tree.resolve("link"), this.outside);
		Files.setPosixFilePermissions(this.outside, PosixFilePermissions.fromString("r-xr-xr-x"));
		for (Path directory = tree; !directory.equals(this.temp); directory = directory.getParent()) {
			Files.setPosixFilePermissions(directory, Set.of());
		}
		TreeDeletion.delete(this.temp.resolve("tree"));
		assertThat(this.temp.resolve("tree")).doesNotExist();
		assertThat(Files.getPosixFilePermissions(this.outside)).isEqualTo(PosixFilePermissions.fromString("r-xr-xr-x"));
		assertOutsideIsComplete();
	}

	@Test
	void deleteRemovesFileAndIgnoresMissingFile() throws IOException {
		Path file = Files.createFile(this.temp.resolve("file"));
		TreeDeletion.delete(file);
		TreeDeletion.delete(file);
		TreeDeletion.delete(this.temp.resolve("missing/below"));
		assertThat(file).doesNotExist();
	}

	@Test
	void deleteRemovesLinksButNotTheirTargets() throws IOException {
		Path tree = Files.createDirectory(this.temp.resolve("tree"));
		Files.createSymbolicLink(tree.resolve("directory"), this.outside);
		Files.createSymbolicLink(tree.resolve("file"), this.outside.resolve("kept"));
		TreeDeletion.delete(tree);
		Path link = Files.createSymbolicLink(this.temp.resolve("link"), this.outside);
		TreeDeletion.delete(link);
		assertThat(tree).doesNotExist();
		assertThat(Files.isSymbolicLink(link)).isFalse();
		assertOutsideIsComplete();
	}

	@Test
	void deleteRemovesNothingElsewhereWhileDirectoriesAreSwappedForLinks() throws Exception {
		Path tree = Files.createDirectory(this.temp.resolve("tree"));
		Path aside = this.temp.resolve("aside");
		AtomicBoolean ended = new AtomicBoolean();
		Thread attacker = new Thread(() -> {
			while (!ended.get()) {
				try {
					Files.createDirectories(tree.resolve("victim/below"));
					Files.move(tree.resolve("victim"), aside, StandardCopyOption.ATOMIC_MOVE);
					Files.createSymbolicLink(tree.resolve("victim"), this.outside);
				}
				catch (IOException ex) {
					// The deletion was faster.
				}
				deleteQuietly(aside);
				deleteQuietly(tree.resolve("victim"));
			}
		});
		attacker.start();
		try {
			for (int round = 0; round < 600; round++) {
				deleteQuietly(tree.resolve("victim"));
				assertOutsideIsComplete();
			}
		}
		finally {
			ended.set(true);
			attacker.join();
		}
	}

	@Test
	void directoryThatBecomesALinkAfterTheCheckIsNotEntered() throws Exception {
		Path tree = Files.createDirectory(this.temp.resolve("tree"));
		Files.createDirectories(tree.resolve("victim/below"));
		try (DirectoryStream<Path> opened = Files.newDirectoryStream(tree)) {
			assumeThat(opened).isInstanceOf(SecureDirectoryStream.class);
			new TreeDeletion((name) -> false).delete(swapping((SecureDirectoryStream<?>) opened, () -> {
				Files.move(tree.resolve("victim"), this.temp.resolve("aside"));
				Files.createSymbolicLink(tree.resolve("victim"), this.outside);
			}), Path.of("victim"), 0);
		}
		assertThat(this.temp.resolve("aside/below")).isDirectory();
		assertOutsideIsComplete();
	}

	/**
	 * Returns a directory in which something happens between the look at an entry and its
	 * use.
	 */
	@SuppressWarnings("unchecked")
	private static SecureDirectoryStream<Path> swapping(SecureDirectoryStream<?> directory, Swap swap) {
		return (SecureDirectoryStream<Path>) proxy(SecureDirectoryStream.class, directory,
				(view) -> proxy(BasicFileAttributeView.class, view, (attributes) -> {
					swap.run();
					return attributes;
				}));
	}

	/**
	 * Returns an object that passes each result of an attribute method on.
	 */
	private static <T> T proxy(Class<T> type, Object target, Result results) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, args) -> {
				try {
					Object result = method.invoke(target, args);
					return method.getName().contains("Attribute") ? results.pass(result) : result;
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

	private static void deleteQuietly(Path tree) {
		try {
			TreeDeletion.delete(tree);
		}
		catch (IOException ex) {
			// The other thread has added something.
		}
	}

	/**
	 * Nests directories with long names, as commands can, and leaves the last one without
	 * access.
	 */
	private Path nested(int levels, int name) throws Exception {
		Path tree = Files.createDirectory(this.temp.resolve("deep"));
		Process process = new ProcessBuilder("perl", "-e",
				"for (1.." + levels + ") { mkdir q(d) x " + name + " and chdir q(d) x " + name
						+ " or die; open(F, '>', 'file'); close F; symlink('" + this.outside
						+ "', 'link') } mkdir 'locked'; mkdir 'locked/in'; chmod 0, 'locked'; chmod 0500, '.'")
			.directory(tree.toFile())
			.inheritIO()
			.start();
		assertThat(process.waitFor()).isZero();
		return tree;
	}

	@ParameterizedTest
	@CsvSource({ "40, 250", "3000, 50", "205, 1", "100, 1", "101, 1" })
	void deleteRemovesDirectoriesAtAnyDepth(int levels, int name) throws Exception {
		Path tree = nested(levels, name);
		TreeDeletion.delete(tree);
		assertThat(tree).doesNotExist();
		assertOutsideIsComplete();
	}

	@Test
	void treeIsDeletedWhileAPartOfItIsDeletedElsewhere() throws Exception {
		for (int round = 0; round < ROUNDS; round++) {
			Path tree = Files.createDirectory(this.temp.resolve("tree"));
			Path part = Files.move(nested(450, 1), tree.resolve("part"));
			Thread other = new Thread(() -> deleteQuietly(part));
			other.start();
			TreeDeletion.delete(tree);
			other.join();
			assertThat(tree).doesNotExist();
		}
	}

	@Test
	void deleteOfDeepDirectoriesRemovesTheLastFileAsWell() throws Exception {
		Path tree = nested(300, 1);
		Files.createFile(tree.resolve("lock"));
		TreeDeletion.delete(tree, (name) -> name.equals("lock"));
		assertThat(tree).doesNotExist();
	}

	/**
	 * An attack.
	 */
	private interface Swap {

		void run() throws IOException;

	}

	/**
	 * Does something with a result.
	 */
	private interface Result {

		Object pass(Object result) throws IOException;

	}

}
