package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.host.ProcessIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Cgroups}, {@link Cgroup} and {@link AbandonedCgroups}.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class CgroupTests {

	private final Cgroups groups = new Cgroups();

	private final List<Process> started = new ArrayList<>();

	@AfterEach
	void close() {
		this.started.forEach(Process::destroyForcibly);
		this.groups.close();
	}

	private Cgroup create() throws IOException {
		assumeThat(this.groups.problem()).as("control groups").isNull();
		Cgroup group = this.groups.create();
		assertThat(group).isNotNull();
		return group;
	}

	private Process start(List<String> command) throws IOException {
		Process process = new ProcessBuilder(command).start();
		this.started.add(process);
		return process;
	}

	@Test
	void groupAccountsForProcessesThatHaveEnded() throws Exception {
		assumeThat(this.groups.measuresCpuTime()).as("accounting").isTrue();
		try (Cgroup group = create()) {
			Process process = start(
					List.of("/bin/sh", "-c", group.prelude() + "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"));
			process.waitFor();
			assertThat(group.cpuTime().orElseThrow()).isBetween(Duration.ofMillis(10), Duration.ofSeconds(10));
		}
	}

	@Test
	void cpuTimeIsReadInBothVersions(@TempDir Path directory) throws Exception {
		assertThat(Cgroup.cpuTime(directory)).isEmpty();
		Files.writeString(directory.resolve("cpu.stat"), "nr_periods 0\nnr_throttled 0\n");
		assertThat(Cgroup.cpuTime(directory)).isEmpty();
		Files.writeString(directory.resolve("cpu.stat"), "usage_usec 2500\nuser_usec 2000\nsystem_usec 500\n");
		assertThat(Cgroup.cpuTime(directory)).contains(Duration.ofNanos(2_500_000));
		Files.writeString(directory.resolve("cpuacct.usage"), "123\n");
		assertThat(Cgroup.cpuTime(directory)).contains(Duration.ofNanos(123));
		Files.writeString(directory.resolve("cpuacct.usage"), "many\n");
		assertThat(Cgroup.cpuTime(directory)).isEmpty();
	}

	@Test
	void processJoinsGroupByPreludeAndEndsWithItsChildren() throws Exception {
		try (Cgroup group = create()) {
			Process process = start(List.of("/bin/sh", "-c", group.prelude() + "echo in; sleep 60 & wait"));
			assertThat(process.inputReader().readLine()).isEqualTo("in");
			await().until(() -> group.processes().size() == 2);
			assertThat(group.processes()).contains(process.toHandle());
			new ProcessTree(new CgroupTreeScan(group, List::of), Duration.ZERO).end();
			assertThat(process.waitFor(5, TimeUnit.SECONDS)).isTrue();
			assertThat(group.processes()).isEmpty();
		}
	}

	@Test
	void commandThatCannotJoinGroupDoesNotRun() throws Exception {
		Cgroup group = new Cgroup(Path.of("/kairo-no-such-group"), (busy) -> {
		});
		Process process = start(List.of("/bin/sh", "-c", group.prelude() + "echo ran"));
		assertThat(process.inputReader().readLine()).isNull();
		assertThat(process.waitFor()).isEqualTo(125);
	}

	@Test
	void killEndsProcessesThatKeepForking() throws Exception {
		try (Cgroup group = create()) {
			assumeThat(List.of("cgroup.kill", "freezer.state"))
				.anyMatch((name) -> Files.exists(group.directory().resolve(name)));
			assertThat(group.isEmpty()).isTrue();
			start(List.of("/bin/sh", "-c", group.prelude()
					+ "trap '' TERM; for i in 1 2 3 4; do for j in $(seq 400); do sleep 60 & done & done; wait"));
			await().until(() -> group.processes().size() > 50);
			group.kill();
			await().until(group::isEmpty);
		}
	}

	@Test
	void closedGroupIsRemovedAfterItsProcessesEnd() throws Exception {
		Cgroup group = create();
		Process process = start(List.of("/bin/sh", "-c", group.prelude() + "echo in; exec sleep 60"));
		process.inputReader().readLine();
		group.close();
		assertThat(group.processes()).hasSize(1);
		process.destroyForcibly().waitFor();
		await().until(group::remove);
	}

	@Test
	void closeRemovesGroupAndItsParent() throws Exception {
		Cgroup group = create();
		Path directory = group.directory();
		assertThat(directory).isDirectory();
		group.close();
		assertThat(directory).doesNotExist();
		this.groups.close();
		assertThat(directory.getParent()).doesNotExist();
	}

	@Test
	void groupCanBeCreatedAfterItsParentWasRemoved() throws Exception {
		Path parent;
		try (Cgroup group = create()) {
			parent = group.directory().getParent();
		}
		assertThat(Cgroup.remove(parent)).isTrue();
		try (Cgroup group = create()) {
			assertThat(group.directory()).isDirectory();
		}
	}

	private static String groupName(ProcessIdentity jvm, String suffix) {
		return Cgroups.NAME + jvm.prefix() + suffix;
	}

	@Test
	void sweepRemovesOnlyEmptyGroupsOfEndedJvms(@TempDir Path hierarchy) throws Exception {
		ProcessIdentity self = ProcessIdentity.current();
		assertThat(self.hasEnded()).isFalse();
		Path alive = Files.createDirectory(hierarchy.resolve(groupName(self, "x")));
		Path reused = Files.createDirectories(
				hierarchy.resolve(groupName(new ProcessIdentity(self.namespace(), self.pid(), self.started() + 1), "x"))
					.resolve("c1"));
		ProcessIdentity gone = new ProcessIdentity(self.namespace(), 999_999_999, 1);
		Path dead = Files.createDirectory(hierarchy.resolve(groupName(gone, "x")));
		Path elsewhere = Files.createDirectory(
				hierarchy.resolve(groupName(new ProcessIdentity(self.namespace() + 1, gone.pid(), 1), "x")));
		Path full = Files.createDirectories(hierarchy.resolve(groupName(gone, "y")).resolve("c1"));
		Files.createFile(full.resolve("as-if-a-process-were-in-it"));
		Path other = Files.createDirectory(hierarchy.resolve("kairo-else"));
		AbandonedCgroups.remove(hierarchy);
		assertThat(List.of(alive, elsewhere, full, other)).allMatch(Files::exists);
		assertThat(reused.getParent()).doesNotExist();
		assertThat(dead).doesNotExist();
	}

	@Test
	void sweepEndsProcessesInGroupOfEndedJvm() throws Exception {
		// a group of this JVM, since another one could sweep beside it
		Path parent = create().directory().getParent();
		ProcessIdentity gone = new ProcessIdentity(ProcessIdentity.current().namespace(), 999_999_999, 1);
		Path abandoned = Files.createDirectory(parent.resolve(groupName(gone, "test")));
		Cgroup group = new Cgroup(Files.createDirectory(abandoned.resolve("c1")), (busy) -> {
		});
		Process process = start(
				List.of("/bin/sh", "-c", group.prelude() + "trap '' TERM; echo in; sleep 60; sleep 60"));
		assertThat(process.inputReader().readLine()).isEqualTo("in");
		AbandonedCgroups.remove(parent);
		assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
		assertThat(abandoned).doesNotExist();
	}

}
