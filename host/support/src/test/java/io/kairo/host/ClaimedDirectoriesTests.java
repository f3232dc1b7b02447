package io.kairo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClaimedDirectories}, with real processes.
 */
@Timeout(120)
class ClaimedDirectoriesTests {

	private static final int ROUNDS = "long".equals(System.getProperty("kairo.stress")) ? 200 : 50;

	private static final String UUID = "9f0ff0c8-0000-4000-8000-000000000000";

	@TempDir
	Path temp;

	private Path parent;

	private ClaimedDirectories directories;

	private final List<Process> processes = new ArrayList<>();

	@BeforeEach
	void createDirectories() {
		this.parent = this.temp.resolve("parent");
		this.directories = new ClaimedDirectories(this.parent);
	}

	@AfterEach
	void endProcesses() throws Exception {
		for (Process process : this.processes) {
			process.destroyForcibly().waitFor();
		}
		this.directories.close();
	}

	private Process start(Class<?> program) throws IOException {
		Process process = OtherJvm.start(program, this.parent);
		this.processes.add(process);
		return process;
	}

	private Path create(String name) throws IOException {
		return Files.createDirectory(this.directories.newPath(name));
	}

	private void sweep() throws IOException {
		this.directories.sweep(TreeDeletion::delete);
	}

	private List<String> names() throws IOException {
		try (Stream<Path> entries = Files.list(this.parent)) {
			return entries.map((entry) -> entry.getFileName().toString()).toList();
		}
	}

	@Test
	@EnabledOnOs({ OS.LINUX, OS.MAC })
	void parentIsCreatedOnFirstUseForItsOwnerOnly() throws IOException {
		sweep();
		assertThat(this.parent).doesNotExist();
		this.directories.newPath("one");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.parent))).isEqualTo("rwx------");
	}

	@Test
	void directoryIsClaimedBeforeItExists() throws IOException {
		Path path = this.directories.newPath("one");
		assertThat(path.getParent()).isEqualTo(this.parent);
		assertThat(path).doesNotExist();
		assertThat(this.directories.isClaimed(path)).isTrue();
		assertThat(this.directories.list()).isEmpty();
		Files.createDirectory(path);
		assertThat(this.directories.list()).containsExactly(path);
	}

	@Test
	void closeDeletesClaimUnlessDirectoriesRemain() throws IOException {
		Path left = create("left");
		this.directories.close();
		assertThat(names()).hasSize(2);
		Files.delete(left);
		Path next = create("next");
		Files.delete(next);
		this.directories.close();
		assertThat(names()).as("the claim of the first").hasSize(1);
	}

	@Test
	void lostClaimIsReplaced() throws IOException {
		Path first = this.directories.newPath("one");
		Files.delete(this.directories.claim().file());
		assertThat(this.directories.isClaimed(first)).isFalse();
		assertThat(this.directories.isClaimed(this.directories.newPath("two"))).isTrue();
	}

	@Test
	void sweepSparesDirectoriesOfLivingProcesses() throws Exception {
		Process other = start(OtherJvm.Claiming.class);
		Path own = create("own");
		sweep();
		assertThat(own).isDirectory();
		assertThat(names()).hasSize(4);
		other.destroyForcibly().waitFor();
		sweep();
		assertThat(own).isDirectory();
		assertThat(names()).hasSize(2);
	}

	@Test
	void sweepSparesOtherDirectoriesOfThisProcess() throws IOException {
		Path own = create("own");
		try (ClaimedDirectories second = new ClaimedDirectories(this.parent)) {
			Path others = Files.createDirectory(second.newPath("own"));
			second.sweep(TreeDeletion::delete);
			sweep();
			assertThat(own).isDirectory();
			assertThat(others).isDirectory();
		}
	}

	@Test
	void namesOfDirectoriesDoNotContainTheProcess() throws IOException {
		assertThat(this.directories.newPath("one").getFileName().toString()).matches("[0-9a-f]{8}(-[0-9a-f]+){4}-one");
	}

	@Test
	void sweepSparesUnclaimedDirectoryOfAnUnknownProcess() throws Exception {
		Process other = start(OtherJvm.Claiming.class);
		for (String name : names()) {
			if (name.endsWith(".claim")) {
				Files.delete(this.parent.resolve(name));
			}
		}
		sweep();
		assertThat(names()).hasSize(1);
		assertThat(this.directories.isClaimed(this.directories.list().get(0))).isFalse();
		other.destroyForcibly().waitFor();
		sweep();
		assertThat(names()).hasSize(1);
	}

	@Test
	void sweepSparesUnclaimedDirectoryOfAnEarlierVersionUntilItsProcessEnds() throws IOException {
		ProcessIdentity self = ProcessIdentity.current();
		Path own = Files.createDirectories(this.parent.resolve(self.prefix() + UUID + "-x"));
		ProcessIdentity ended = new ProcessIdentity(self.namespace(), self.pid(), self.started() + 1);
		Files.createDirectories(this.parent.resolve(ended.prefix() + UUID.replace('9', '8') + "-x"));
		sweep();
		assertThat(this.directories.list()).containsExactly(own);
	}

	@Test
	void sweepSparesUnclaimedDirectoryOfAnotherNamespace() throws IOException {
		ProcessIdentity elsewhere = new ProcessIdentity(ProcessIdentity.current().namespace() + 1, 999_999_999, 1);
		Path unclaimed = Files.createDirectories(this.parent.resolve(elsewhere.prefix() + UUID + "-x"));
		sweep();
		assertThat(unclaimed).isDirectory();
		Files.createFile(this.parent.resolve(elsewhere.prefix() + UUID + ".claim"));
		sweep();
		assertThat(names()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "12-34-" + UUID + ".claim|12-34-" + UUID + ".x", "12-34-1234abcd.claim|12-34-1234abcd-5",
			"12-34-12345678.claim|12-34-12345678-9", "1-12-34-" + UUID + ".claim|1-12-34-" + UUID + "-x",
			"1-12-34-" + UUID + ".claim|1-12-34-" + UUID + "-x.y", "1-12-34-" + UUID + ".claim|" + UUID + "-x" })
	void sweepRemovesDirectoriesOfAllVersions(String names) throws IOException {
		String[] both = names.split("\\|");
		Path directory = Files.createDirectories(this.parent.resolve(both[1]));
		Files.createFile(this.parent.resolve(both[0]));
		assertThat(this.directories.isClaimed(directory)).isTrue();
		sweep();
		assertThat(names()).isEmpty();
	}

	@Test
	void sweepSparesOtherNames() throws IOException {
		for (String name : List.of("1-2-not-a-claim", "file", "x.claim", "1-2-1234abcd", "12-34-1234abcdef-5",
				"1234abcd-5", UUID + "-5")) {
			Files.createDirectories(this.parent.resolve(name).resolve("below"));
		}
		sweep();
		assertThat(names()).hasSize(7);
	}

	@Test
	void sweepDoesNotFollowLinks() throws IOException {
		Path outside = Files.createDirectory(this.temp.resolve("outside"));
		Path kept = Files.createFile(outside.resolve("kept"));
		Files.createDirectories(this.parent);
		Files.createSymbolicLink(this.parent.resolve("1-12-34-" + UUID + "-x"), outside);
		Files.createFile(this.parent.resolve("1-12-34-" + UUID + ".claim"));
		Path claim = Files.createSymbolicLink(this.parent.resolve("1-12-35-" + UUID.replace('9', '8') + ".claim"),
				kept);
		sweep();
		assertThat(kept).exists();
		assertThat(this.parent.resolve("1-12-34-" + UUID + "-x")).doesNotExist();
		assertThat(claim).isSymbolicLink();
	}

	@Test
	void failedRemovalIsRetriedAndDoesNotAffectOthers() throws IOException {
		String owner = "1-12-34-" + UUID;
		Path first = Files.createDirectories(this.parent.resolve(owner + "-first"));
		Path second = Files.createDirectories(this.parent.resolve(owner + "-second"));
		Files.createFile(this.parent.resolve(owner + ".claim"));
		this.directories.sweep((directory) -> {
			if (directory.equals(first)) {
				throw new IOException("busy");
			}
			TreeDeletion.delete(directory);
		});
		assertThat(second).doesNotExist();
		assertThat(names()).containsExactlyInAnyOrder(owner + ".claim", owner + "-first");
		sweep();
		assertThat(names()).isEmpty();
	}

	@Test
	void newClaimsAreHeldDuringConcurrentSweeps() throws Exception {
		Files.createDirectories(this.parent);
		start(OtherJvm.Sweeping.class);
		start(OtherJvm.Sweeping.class);
		for (int round = 0; round < ROUNDS; round++) {
			try (ClaimedDirectories own = new ClaimedDirectories(this.parent)) {
				Path directory = Files.createDirectory(own.newPath("own"));
				Path file = Files.createFile(directory.resolve("file"));
				assertThat(own.claim().isHeld()).isTrue();
				assertThat(file).exists();
				TreeDeletion.delete(directory);
			}
		}
		assertThat(names()).isEmpty();
	}

}
