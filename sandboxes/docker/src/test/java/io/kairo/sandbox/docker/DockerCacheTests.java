package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.support.cache.CacheOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the caches of tenants in a {@link DockerSandbox}.
 */
@RequiresDocker
class DockerCacheTests {

	private static final TenantContext TENANT = new TenantContext("tenant", "principal");

	private static final TenantContext OTHER = new TenantContext("other", "principal");

	@TempDir
	Path temp;

	private Path directory;

	private Path workspace;

	private ExecutionSandbox sandbox;

	@BeforeEach
	void createSandbox() throws IOException {
		this.directory = this.temp.toRealPath();
		this.workspace = Files.createDirectory(this.directory.resolve("workspace"));
		this.sandbox = sandbox(this.directory.resolve("caches"));
	}

	private ExecutionSandbox sandbox(Path caches) {
		CacheOptions options = new CacheOptions(caches, List.of(".m2", ".npm"), 1_000_000, Duration.ofDays(7),
				(tenant, bytes, maxBytes) -> {
				});
		return TestContainers.sandbox(TestContainers.options()
			.with((changes) -> changes
				.commands((commands) -> commands.directory(this.directory.resolve("sandbox")).caches(options))));
	}

	@AfterEach
	void closeSandbox() throws Exception {
		((AutoCloseable) this.sandbox).close();
	}

	private String run(TenantContext tenant, @Nullable String session, String command) {
		return run(tenant, session, command, (request) -> {
		});
	}

	private String run(TenantContext tenant, @Nullable String session, String command,
			Consumer<SandboxRequest.Builder> changes) {
		SandboxRequest.Builder request = new SandboxRequest.Builder(command, this.workspace).tenant(tenant)
			.attributes(SandboxAttributes.builder().sessionId(session).redirectErrorStream(true).build());
		changes.accept(request);
		try (SandboxHandle handle = this.sandbox.start(request.build())) {
			StringBuilder output = new StringBuilder();
			handle.output()
				.toIterable()
				.forEach((chunk) -> output.append(new String(chunk.data(), StandardCharsets.UTF_8)));
			assertThat(Objects.requireNonNull(handle.exit().block()).timedOut()).isFalse();
			return output.toString();
		}
	}

	@Test
	void nextSessionOfTheTenantFindsItsCache() {
		run(TENANT, "a", "echo kept > ~/.m2/file; echo gone > ~/other");
		assertThat(run(TENANT, "b", "cat ~/.m2/file; ls ~; ls -A ~")).isEqualTo("kept\n.m2\n.npm\n");
		assertThat(run(OTHER, "a", "cat ~/.m2/file")).contains("No such file");
		assertThat(run(TENANT, null, "ls -A ~")).isEmpty();
	}

	@Test
	void readOnlyCommandChangesNoCache() {
		run(TENANT, "a", "echo kept > ~/.m2/file");
		assertThat(run(TENANT, "a", "cat ~/.m2/file; echo x > ~/.m2/file; rm ~/.m2/file",
				(request) -> request.readOnly(true)))
			.startsWith("kept\n")
			.containsPattern("(?s)(Read-only file system.*){2}");
		assertThat(run(TENANT, "a", "cat ~/.m2/file")).isEqualTo("kept\n");
	}

	@Test
	void tooLargeCachesAreRemoved() {
		run(OTHER, "a", "echo kept > ~/.m2/file");
		run(TENANT, "a", "head -c 3000000 /dev/zero > ~/.m2/file");
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(run(TENANT, "a", "ls -A ~/.m2")).isEmpty());
		assertThat(run(TENANT, "a", "echo again > ~/.m2/file; cat ~/.m2/file")).isEqualTo("again\n");
		assertThat(run(OTHER, "b", "cat ~/.m2/file")).isEqualTo("kept\n");
	}

	@Test
	void thereAreNoneWhereTheEngineMayNotSeeThem() throws Exception {
		closeSandbox();
		this.sandbox = sandbox(this.directory.resolveSibling(this.directory.getFileName() + "-elsewhere"));
		assertThat(run(TENANT, "a", "ls -A ~; echo ran")).isEqualTo("ran\n");
	}

}
