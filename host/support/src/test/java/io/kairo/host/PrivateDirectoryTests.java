package io.kairo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link PrivateDirectory}, with real processes.
 */
@Timeout(120)
@EnabledOnOs({ OS.LINUX, OS.MAC })
class PrivateDirectoryTests {

	private static final int ROUNDS = "long".equals(System.getProperty("kairo.stress")) ? 200 : 50;

	@TempDir
	Path temp;

	private List<Path> entries() throws IOException {
		try (Stream<Path> entries = Files.list(this.temp)) {
			return entries.toList();
		}
	}

	private void sweep() throws IOException {
		try (PrivateDirectory directory = new PrivateDirectory(this.temp)) {
			directory.path();
		}
	}

	private Path abandon(ProcessIdentity owner, String suffix) throws IOException {
		return Files.createDirectories(this.temp.resolve("kairo-" + owner.prefix() + suffix));
	}

	private Path own(String name, ProcessIdentity owner) throws IOException {
		Path directory = Files.createDirectories(this.temp.resolve("kairo-" + name));
		Files.createFile(directory.resolve(owner.prefix() + "owner"));
		return directory;
	}

	private static String mode(Path path) throws IOException {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

	@Test
	void directoryIsCreatedOnFirstUseAndRemovedOnClose() throws IOException {
		try (PrivateDirectory directory = new PrivateDirectory(this.temp)) {
			assertThat(this.temp).isEmptyDirectory();
			Path path = directory.path();
			assertThat(path).isDirectory().isAbsolute().hasParent(this.temp);
			assertThat(directory.path()).isEqualTo(path);
			Files.createDirectories(path.resolve("a/b/c"));
		}
		assertThat(this.temp).isEmptyDirectory();
	}

	@Test
	void directoryIsAccessibleToOwnerOnly() throws IOException {
		try (PrivateDirectory directory = new PrivateDirectory(this.temp.resolve("above/parent"))) {
			assertThat(mode(directory.path())).isEqualTo("rwx------");
			assertThat(mode(this.temp.resolve("above"))).isEqualTo("rwx------");
			assertThat(mode(this.temp.resolve("above/parent"))).isEqualTo("rwx------");
		}
	}

	@Test
	void newPathReturnsUnusedPath() throws IOException {
		try (PrivateDirectory directory = new PrivateDirectory(this.temp)) {
			Path first = directory.newPath("x");
			assertThat(first.getParent()).isEqualTo(directory.path());
			assertThat(first).doesNotExist();
			assertThat(directory.newPath("x")).isNotEqualTo(first);
		}
	}

	@Test
	void directoryIsCreatedAgainAfterItWasRemoved() throws IOException {
		try (PrivateDirectory directory = new PrivateDirectory(this.temp)) {
			Path first = directory.path();
			TreeDeletion.delete(first);
			Path second = directory.path();
			assertThat(second).isDirectory().isNotEqualTo(first);
		}
		assertThat(this.temp).isEmptyDirectory();
	}

	@Test
	void linkInPlaceOfDirectoryIsNotUsed() throws IOException {
		Path outside = Files.createDirectory(this.temp.resolve("outside"));
		try (PrivateDirectory directory = new PrivateDirectory(this.temp.resolve("parent"))) {
			Path first = directory.path();
			TreeDeletion.delete(first);
			Files.createSymbolicLink(first, outside);
			assertThat(directory.path()).isNotEqualTo(first).isDirectory();
		}
		assertThat(outside).isEmptyDirectory();
	}

	@Test
	void closeDoesNotFollowLinkInPlaceOfDirectory() throws IOException {
		Path kept = Files.createFile(Files.createDirectory(this.temp.resolve("outside")).resolve("kept"));
		try (PrivateDirectory directory = new PrivateDirectory(this.temp.resolve("parent"))) {
			Path path = directory.path();
			TreeDeletion.delete(path);
			Files.createSymbolicLink(path, kept.getParent());
		}
		assertThat(kept).exists();
		assertThat(this.temp.resolve("parent")).isEmptyDirectory();
	}

	@Test
	void pathFailsAfterClose() {
		PrivateDirectory directory = new PrivateDirectory(this.temp);
		directory.close();
		assertThatIOException().isThrownBy(directory::path).withMessageContaining("closed");
		directory.close();
	}

	@Test
	void nameDoesNotContainIdentity() throws IOException {
		try (PrivateDirectory directory = new PrivateDirectory(this.temp)) {
			assertThat(directory.path().getFileName().toString()).matches("kairo-[0-9a-f]{32}");
		}
	}

	@Test
	void interruptedCreationIsRemoved() throws IOException {
		ProcessIdentity ended = new ProcessIdentity(ProcessIdentity.current().namespace(), 999_999_999, 1);
		abandon(ended, "empty");
		Files.createFile(abandon(ended, "with-owner").resolve(ended.prefix() + "owner"));
		own("0123456789abcdef", ended);
		sweep();
		assertThat(this.temp).isEmptyDirectory();
	}

	@Test
	void directoryOfAnyDepthIsRemoved() throws IOException {
		ProcessIdentity ended = new ProcessIdentity(ProcessIdentity.current().namespace(), 999_999_999, 1);
		Path path = own("0123456789abcdef", ended);
		for (int level = 0; level < 1002; level++) {
			path = Files.createDirectory(path.resolve("d"));
		}
		sweep();
		assertThat(entries()).isEmpty();
	}

	@Test
	void emptyDirectoryOfADeletionThatWasKilledIsRemoved() throws IOException {
		Files.createDirectory(this.temp.resolve("kairo-606bc92b4ddc447e86353abd1509a416"));
		Path other = Files.createDirectory(this.temp.resolve("kairo-state-of-a-user"));
		Path used = Files.createDirectories(this.temp.resolve("kairo-706bc92b4ddc447e86353abd1509a416/files"));
		sweep();
		assertThat(entries()).containsExactlyInAnyOrder(other, used.getParent());
	}

	@Test
	void newDirectoriesAreHeldDuringConcurrentSweeps() throws Exception {
		Process first = OtherJvm.start(OtherJvm.PrivateSweeping.class, this.temp);
		Process second = OtherJvm.start(OtherJvm.PrivateSweeping.class, this.temp);
		try {
			for (int round = 0; round < ROUNDS; round++) {
				try (PrivateDirectory directory = new PrivateDirectory(this.temp)) {
					Path path = directory.path();
					Path file = Files.createFile(directory.newPath("file"));
					assertThat(directory.path()).isEqualTo(path);
					assertThat(file).exists();
				}
			}
		}
		finally {
			first.destroyForcibly().waitFor();
			second.destroyForcibly().waitFor();
		}
		sweep();
		assertThat(this.temp).isEmptyDirectory();
	}

	@Test
	void directoryOfLivingJvmIsSparedAndThatOfKilledJvmIsRemoved() throws Exception {
		Process other = OtherJvm.start(OtherJvm.Private.class, this.temp);
		try {
			assertThat(entries()).hasSize(1);
			sweep();
			assertThat(entries()).hasSize(1);
		}
		finally {
			other.destroyForcibly().waitFor();
		}
		sweep();
		assertThat(entries()).isEmpty();
	}

	@Test
	void directoriesOfThisJvmAreSpared() throws IOException {
		try (PrivateDirectory first = new PrivateDirectory(this.temp)) {
			Path path = first.path();
			sweep();
			assertThat(path).isDirectory();
		}
	}

	@Test
	void directoryOfOtherNamespaceIsRemovedOnlyIfItsLockIsFree() throws IOException {
		ProcessIdentity self = ProcessIdentity.current();
		ProcessIdentity elsewhere = new ProcessIdentity(self.namespace() + 1, 1, 1);
		Path unlocked = abandon(elsewhere, "unlocked");
		Files.createFile(unlocked.resolve("lock"));
		Path without = abandon(elsewhere, "without-lock");
		Path locked = abandon(elsewhere, "locked");
		try (Claim claim = Claim.create(locked.resolve("lock"))) {
			sweep();
			assertThat(claim).isNotNull();
			assertThat(entries()).containsExactlyInAnyOrder(without, locked);
		}
	}

	@Test
	void directoryWithoutLockIsRemovedIfItsProcessHasEnded() throws IOException {
		ProcessIdentity self = ProcessIdentity.current();
		Path ended = abandon(new ProcessIdentity(self.namespace(), 999_999_999, 1), "x");
		Path reused = abandon(new ProcessIdentity(self.namespace(), self.pid(), self.started() + 1), "x");
		Path running = abandon(self, "x");
		Files.createDirectories(ended.resolve("a/b"));
		sweep();
		assertThat(reused).doesNotExist();
		assertThat(entries()).containsExactly(running);
	}

	@Test
	void directoryOfRunningJvmIsSparedEvenIfItsLockIsFree() throws IOException {
		Path running = abandon(ProcessIdentity.current(), "x");
		Files.createFile(running.resolve("lock"));
		sweep();
		assertThat(running).isDirectory();
	}

	@Test
	void otherNamesAndLinksAreLeftAlone() throws IOException {
		ProcessIdentity ended = new ProcessIdentity(ProcessIdentity.current().namespace(), 999_999_999, 1);
		Path outside = Files.createDirectory(this.temp.resolve("outside"));
		Files.createFile(outside.resolve("lock"));
		Path link = Files.createSymbolicLink(this.temp.resolve("kairo-" + ended.prefix() + "link"), outside);
		Path other = Files.createDirectory(this.temp.resolve("kairo-something"));
		Files.createFile(other.resolve("lock"));
		Path foreign = Files.createDirectory(this.temp.resolve(ended.prefix() + "x"));
		Path file = Files.createFile(this.temp.resolve("kairo-" + ended.prefix() + "file"));
		Path unknown = Files.createDirectory(this.temp.resolve("kairo-0123456789abcdef"));
		Files.createFile(unknown.resolve("lock"));
		sweep();
		assertThat(entries()).containsExactlyInAnyOrder(outside, link, other, foreign, file, unknown);
		assertThat(outside.resolve("lock")).exists();
	}

}
