package io.kairo.workspace.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePathException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FileAgentRegistry}.
 */
class FileAgentRegistryTests {

	@TempDir
	Path temp;

	private FileAgentRegistry registry() {
		return new FileAgentRegistry(this.temp.resolve("state/agents"));
	}

	private List<Path> records() throws IOException {
		try (Stream<Path> files = Files.walk(this.temp.resolve("state"))) {
			return files.filter(Files::isRegularFile).toList();
		}
	}

	@Test
	void findCreatesNoFiles() {
		assertThat(registry().find("default", "a")).isNull();
		assertThat(this.temp.resolve("state")).doesNotExist();
	}

	@Test
	void recordsSurviveARestart() {
		AgentRecord agent = new AgentRecord("代理 1", "root");
		assertThat(registry().add("default", agent)).isEqualTo(agent);
		assertThat(registry().find("default", "代理 1")).isEqualTo(agent);
		assertThat(registry().find("acme", "代理 1")).isNull();
		assertThat(registry().find("default", "代理 2")).isNull();
	}

	@Test
	void addKeepsTheFirstRecord() {
		registry().add("default", new AgentRecord("a", "root"));
		assertThat(registry().add("default", new AgentRecord("a", "b"))).isEqualTo(new AgentRecord("a", "root"));
		assertThat(registry().find("default", "a")).isEqualTo(new AgentRecord("a", "root"));
	}

	@Test
	void tenantsAreSeparateWhateverTheirNames() {
		List<String> tenants = List.of("acme", "Acme", "../acme", "acme/x", "", "a".repeat(3000), "#ro");
		for (String tenant : tenants) {
			registry().add(tenant, new AgentRecord("a", "p" + tenants.indexOf(tenant)));
		}
		for (String tenant : tenants) {
			assertThat(registry().find(tenant, "a")).isEqualTo(new AgentRecord("a", "p" + tenants.indexOf(tenant)));
		}
	}

	@Test
	void idsThatDifferOnlyInCaseAreRefused() {
		registry().add("default", new AgentRecord("Agent", "root"));
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> registry().add("default", new AgentRecord("aGENT", "root")))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.CONFLICT))
			.withMessageContainingAll("'aGENT'", "'Agent'", "only in case");
		assertThat(registry().find("default", "aGENT")).isNull();
	}

	@Test
	void recordsAreAccessibleByTheOwnerOnlyWithoutOtherFiles() throws IOException {
		registry().add("default", new AgentRecord("a", "root"));
		registry().add("default", new AgentRecord("a", "root"));
		assertThat(records()).hasSize(1);
		if (this.temp.getFileSystem().supportedFileAttributeViews().contains("posix")) {
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(this.temp.resolve("state"))))
				.isEqualTo("rwx------");
		}
	}

	@Test
	void damagedRecordIsReported() throws IOException {
		registry().add("default", new AgentRecord("a", "root"));
		for (String damaged : List.of("", "a\n", "a\nroot\nmore\n", "..\nroot\n", "a\na\n")) {
			Files.writeString(records().get(0), damaged);
			assertThatExceptionOfType(WorkspaceException.class).as(damaged)
				.isThrownBy(() -> registry().find("default", "a"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.READ_FAILED))
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain(this.temp.toString()));
		}
	}

	@Test
	void onlyRemainsOfKilledProcessesAreRemoved() throws IOException {
		registry().add("default", new AgentRecord("a", "root"));
		Path drafts = this.temp.resolve("state/agents/new");
		Path left = Files.writeString(drafts.resolve("left"), "a\nro");
		Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
		Path underWay = Files.writeString(drafts.resolve("under-way"), "b\nro");
		Files.setLastModifiedTime(records().stream().filter((file) -> !file.startsWith(drafts)).findFirst().get(),
				FileTime.from(Instant.now().minus(Duration.ofDays(900))));
		assertThat(registry().find("default", "a")).isNotNull();
		assertThat(left).doesNotExist();
		assertThat(underWay).exists();
	}

	@Test
	void removedAgentIsGoneForEveryRegistry() throws IOException {
		FileAgentRegistry here = registry();
		here.add("default", new AgentRecord("Agent", "root"));
		here.add("acme", new AgentRecord("Agent", "root"));
		assertThat(registry().remove("default", "aGENT")).isFalse();
		assertThat(here.removals()).isZero();
		assertThat(registry().remove("default", "Agent")).isTrue();
		assertThat(registry().remove("default", "Agent")).isFalse();
		assertThat(here.removals()).isEqualTo(1);
		assertThat(here.find("default", "Agent")).isNull();
		assertThat(here.find("acme", "Agent")).isNotNull();
		assertThat(here.add("default", new AgentRecord("aGENT", "b"))).isEqualTo(new AgentRecord("aGENT", "b"));
	}

	@Test
	void concurrentRemovalsRemoveOnce() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			for (int round = 0; round < 20; round++) {
				registry().add("default", new AgentRecord("a", "root"));
				CountDownLatch start = new CountDownLatch(8);
				List<Future<Boolean>> removed = new ArrayList<>();
				for (int thread = 0; thread < 8; thread++) {
					removed.add(threads.submit(() -> {
						start.countDown();
						start.await();
						return registry().remove("default", "a");
					}));
				}
				int count = 0;
				for (Future<Boolean> one : removed) {
					count += one.get() ? 1 : 0;
				}
				assertThat(count).isOne();
			}
			assertThat(registry().removals()).isEqualTo(20);
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void interruptedRemovalIsSeenByOtherRegistries() throws IOException {
		AtomicLong time = new AtomicLong();
		registry().add("default", new AgentRecord("a", "root"));
		AgentTree elsewhere = new AgentTree(registry(), new Assignments(60), time::get);
		Path mark = Files.createFile(Files.createDirectories(this.temp.resolve("state/agents/removing")).resolve("x"));
		time.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(elsewhere.workspaceOf(TenantContext.SINGLE, "a")).as("before the record goes").isEqualTo("a");
		Files.delete(records().stream().filter((file) -> !file.equals(mark)).findFirst().get());
		time.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> elsewhere.workspaceOf(TenantContext.SINGLE, "a"));
		long count = registry().removals();
		Files.setLastModifiedTime(mark, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
		assertThat(registry().removals()).as("once it was swept").isEqualTo(1).isNotEqualTo(count);
		assertThat(mark).doesNotExist();
	}

	@Test
	void removalIsMarkedBeforeAndCountedAfterwards() throws IOException {
		Removals removals = new Removals(this.temp);
		Set<Long> seen = new HashSet<>(Set.of(removals.count()));
		removals.perform(() -> {
			assertThat(seen.add(removals.count())).isTrue();
			assertThat(seen.add(removals.count())).isTrue();
			return true;
		});
		assertThat(seen.add(removals.count())).isTrue();
		removals.perform(() -> false);
		assertThat(removals.count()).isEqualTo(1);
	}

	@Test
	void charactersEqualOnlyInSomeLanguagesDiffer() {
		for (AgentRegistry registry : List.of(registry(), new InMemoryAgentRegistry())) {
			for (String id : List.of("straße", "strasse")) {
				AgentRecord agent = new AgentRecord(id, "root");
				assertThat(registry.add("default", agent)).isEqualTo(agent);
				assertThat(registry.find("default", id)).isEqualTo(agent);
			}
			registry.add("default", new AgentRecord("Ünal", "root"));
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> registry.add("default", new AgentRecord("üNAL", "root")))
				.withMessageContaining("only in case");
			assertThat(registry.find("default", "üNAL")).isNull();
			assertThat(registry.remove("default", "üNAL")).isFalse();
			assertThat(registry.remove("default", "Ünal")).isTrue();
			assertThat(registry.add("default", new AgentRecord("üNAL", "root")).id()).isEqualTo("üNAL");
		}
	}

	@Test
	void directoryThatCannotBeCreatedIsReported() throws IOException {
		Files.writeString(this.temp.resolve("state"), "a file");
		assertThatExceptionOfType(WorkspaceException.class)
			.isThrownBy(() -> registry().add("default", new AgentRecord("a", "root")))
			.satisfies((ex) -> assertThat(ex.getMessage()).isNotBlank().doesNotContain(this.temp.toString()));
	}

	@Test
	void concurrentAddsReturnTheSameRecord() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			for (int round = 0; round < 20; round++) {
				String agent = "agent-" + round;
				CountDownLatch start = new CountDownLatch(8);
				List<Future<AgentRecord>> added = new ArrayList<>();
				for (int thread = 0; thread < 8; thread++) {
					String parent = "parent-" + thread;
					added.add(threads.submit(() -> {
						start.countDown();
						start.await();
						return registry().add("default", new AgentRecord(agent, parent));
					}));
				}
				AgentRecord winner = added.get(0).get();
				for (Future<AgentRecord> record : added) {
					assertThat(record.get()).isEqualTo(winner);
				}
				assertThat(registry().find("default", agent)).isEqualTo(winner);
			}
			assertThat(records()).hasSize(20);
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void treeSeesLaterRegistrationsOfAnotherTree() {
		AgentTree here = new AgentTree(registry());
		AgentTree there = new AgentTree(registry());
		here.register("a", "root");
		assertThat(there.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
		here.register("b", "a");
		assertThat(there.workspaceOf(TenantContext.SINGLE, "b")).isEqualTo("a");
	}

}
