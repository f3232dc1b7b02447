package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.cache.CacheOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests the caches of tenants in a {@link BubblewrapSandbox}.
 */
@RequiresBubblewrap
class BubblewrapCacheTests {

	private static final TenantContext TENANT = new TenantContext("tenant", "principal");

	private static final TenantContext OTHER = new TenantContext("other", "principal");

	private final Map<String, List<Long>> sizes = new ConcurrentHashMap<>();

	@TempDir
	Path directory;

	private Path workspace;

	private Path caches;

	private BubblewrapSandbox sandbox;

	@BeforeEach
	void createSandbox() throws IOException {
		HostUser.letPass(this.directory);
		this.workspace = Files.createDirectory(this.directory.resolve("workspace"));
		this.caches = this.directory.resolve("caches");
		CacheOptions options = new CacheOptions(this.caches, List.of(".m2", ".npm"), 1_000_000, Duration.ofDays(7),
				(tenant, bytes, maxBytes) -> this.sizes
					.computeIfAbsent(tenant.tenantId(), (id) -> new CopyOnWriteArrayList<>())
					.add(bytes));
		this.sandbox = new BubblewrapSandbox(JvmUser.bubblewrapOptions()
			.with((changes) -> changes.commands((commands) -> commands.caches(options))));
	}

	@AfterEach
	void closeSandbox() {
		this.sandbox.close();
	}

	private String run(TenantContext tenant, @Nullable String session, String command) {
		SandboxRequest request = new SandboxRequest.Builder(command, this.workspace).tenant(tenant)
			.attributes(SandboxAttributes.builder().sessionId(session).redirectErrorStream(true).build())
			.build();
		try (SandboxHandle handle = this.sandbox.start(JvmUser.grantAccess(request))) {
			return BubblewrapFixture.outcome(handle).out();
		}
	}

	@Test
	void nextSessionOfTheTenantFindsItsCache() {
		run(TENANT, "a", "echo kept > ~/.m2/file; echo gone > ~/other");
		assertThat(run(TENANT, "b", "cat ~/.m2/file; ls ~")).isEqualTo("kept\n");
		assertThat(run(new TenantContext("tenant", "other"), "a", "cat ~/.m2/file")).isEqualTo("kept\n");
		assertThat(run(OTHER, "a", "cat ~/.m2/file")).contains("No such file");
		assertThat(run(OTHER, "a", "cat " + this.caches + "/*/*/.m2/file")).contains("No such file");
		assertThat(run(TENANT, "b", "rmdir ~/.npm; mv ~/.npm ~/x")).contains("busy");
	}

	@ParameterizedTest
	@ValueSource(strings = { "head -c 3000000 /dev/zero > ~/.m2/file",
			"mkdir ~/.npm/sub; chmod 0 ~/.npm/sub; ln -s / ~/.npm/link; head -c 3000000 /dev/zero > ~/.m2/file",
			"cd ~/.m2; for i in $(seq 200); do mkdir d && cd d; done",
			"cd ~/.m2; n=$(printf 'x%.0s' $(seq 250)); for i in $(seq 20); do mkdir $n && cd -P $n; done;"
					+ " head -c 3000000 /dev/zero > file",
			"cd ~/.m2; seq 3000 | xargs mkdir" })
	void tooLargeCachesAreRemoved(String command) {
		run(OTHER, "a", "echo kept > ~/.m2/file");
		run(TENANT, "a", command);
		await().untilAsserted(() -> assertThat(run(TENANT, "a", "ls -A ~/.m2 ~/.npm")).hasLineCount(3));
		assertThat(run(TENANT, "a", "echo again > ~/.m2/file; cat ~/.m2/file")).isEqualTo("again\n");
		assertThat(run(OTHER, "b", "cat ~/.m2/file")).isEqualTo("kept\n");
		assertThat(this.workspace).isEmptyDirectory();
		await().untilAsserted(() -> assertThat(this.sizes.get("tenant")).containsSequence(1_000_000L, 0L));
		await().untilAsserted(() -> assertThat(this.sizes.get("other")).isNotEmpty()
			.allMatch((bytes) -> bytes > 0 && bytes < 1_000_000));
	}

	@Test
	void cachesAreNotRemovedWhileACommandRuns() {
		SandboxRequest request = new SandboxRequest.Builder("echo kept > ~/.m2/file; sleep 60", this.workspace)
			.tenant(TENANT)
			.timeout(Duration.ofMinutes(2))
			.attributes(SandboxAttributes.builder().sessionId("a").build())
			.build();
		try (SandboxHandle handle = this.sandbox.start(JvmUser.grantAccess(request))) {
			run(TENANT, "b", "head -c 3000000 /dev/zero > ~/.npm/file");
			await().during(Duration.ofMillis(500))
				.untilAsserted(
						() -> assertThat(run(TENANT, "b", "cat ~/.m2/file; ls ~/.npm")).isEqualTo("kept\nfile\n"));
			assertThat(handle.exit().toFuture()).isNotDone();
		}
		await().untilAsserted(() -> assertThat(run(TENANT, "b", "ls ~/.npm")).isEmpty());
	}

	@Test
	void workspaceAboveTheCachesDoesNotShowThem() throws IOException {
		run(OTHER, "a", "echo secret > ~/.m2/file");
		SandboxRequest request = new SandboxRequest.Builder(
				"ls -A " + this.caches + "; cat " + this.caches + "/*/*/.m2/file", this.directory)
			.attributes(SandboxAttributes.builder().redirectErrorStream(true).build())
			.build();
		try (SandboxHandle handle = this.sandbox.start(request)) {
			assertThat(BubblewrapFixture.outcome(handle).out()).contains("No such file").doesNotContain("secret");
		}
	}

	@Test
	void unusedCachesAreRemoved() throws IOException {
		Path unused = Files.createDirectories(this.caches.resolve("bubblewrap/unused/.m2")).getParent();
		Path used = Files.createDirectories(this.caches.resolve("bubblewrap/used/.m2")).getParent();
		Files.setLastModifiedTime(unused, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
		run(TENANT, "a", "true");
		await().untilAsserted(() -> assertThat(unused).doesNotExist());
		assertThat(used).exists();
	}

	@Test
	void readOnlyCommandChangesNoCache() {
		run(TENANT, "a", "echo kept > ~/.m2/file");
		SandboxRequest request = new SandboxRequest.Builder("cat ~/.m2/file; echo x > ~/own; echo x > ~/.m2/file",
				this.workspace)
			.tenant(TENANT)
			.readOnly(true)
			.attributes(SandboxAttributes.builder().sessionId("a").build())
			.build();
		try (SandboxHandle handle = this.sandbox.start(JvmUser.grantAccess(request))) {
			BubblewrapFixture.Outcome outcome = BubblewrapFixture.outcome(handle);
			assertThat(outcome.out()).isEqualTo("kept\n");
			assertThat(outcome.err()).contains("Read-only file system");
		}
		assertThat(run(TENANT, "a", "cat ~/.m2/file ~/own")).isEqualTo("kept\nx\n");
	}

	@Test
	void commandWithoutASessionRunsBeforeThereAreCaches() {
		assertThat(run(TENANT, null, "ls -A ~; echo ran")).isEqualTo("ran\n");
		assertThat(this.caches).doesNotExist();
	}

	@Test
	void commandsRunWithoutCachesIfTheyCannotBeCreated() throws IOException {
		Files.createFile(this.caches);
		assertThat(run(TENANT, "a", "echo x > ~/.own; cat ~/.own; ls -A ~")).isEqualTo("x\n.own\n");
	}

	@Test
	void linkOfACommandInItsCacheLeadsNowhere() throws IOException {
		Path victim = Files.createDirectory(this.directory.resolve("victim"));
		JvmUser.grantAccess(victim);
		run(TENANT, "a", "ln -s " + victim + " ~/.m2/link; ln -s /oldroot" + victim + " ~/.m2/old");
		run(TENANT, "b", "echo x > ~/.m2/link/x; echo x > ~/.m2/old/x");
		try (Stream<Path> files = Files.list(victim)) {
			assertThat(files).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "a/b", "/m2", "../x" })
	void directoryOutsideOfTheHomeDirectoryIsRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(
				() -> new CacheOptions(this.caches, List.of(name), 1, Duration.ofDays(1), (tenant, bytes, maxBytes) -> {
				}))
			.withMessageContaining("'" + name + "'");
	}

}
