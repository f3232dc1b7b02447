package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.support.Sessions;
import io.kairo.sandbox.support.cache.CacheOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the caches of tenants in a {@link LandlockSandbox}.
 */
@RequiresLandlock
class LandlockCacheTests {

	private static final TenantContext TENANT = new TenantContext("tenant", "principal");

	private static final TenantContext OTHER = new TenantContext("other", "principal");

	private static final long MAX_BYTES = 1_000_000;

	private final Map<String, List<Long>> sizes = new ConcurrentHashMap<>();

	@TempDir
	Path directory;

	private Path workspace;

	private Path caches;

	private LandlockSandbox sandbox;

	@BeforeEach
	void createSandbox() throws IOException {
		this.workspace = Files.createDirectory(this.directory.resolve("workspace"));
		this.caches = this.directory.resolve("caches");
		CacheOptions options = new CacheOptions(this.caches, List.of(".m2", ".npm"), MAX_BYTES, Duration.ofDays(7),
				(tenant, bytes, maxBytes) -> this.sizes
					.computeIfAbsent(tenant.tenantId(), (id) -> new CopyOnWriteArrayList<>())
					.add(bytes));
		this.sandbox = new LandlockSandbox(CommandSettings.DEFAULTS.with((commands) -> commands.caches(options)),
				Sessions.DEFAULT_IDLE_TIMEOUT, 2);
	}

	@AfterEach
	void closeSandbox() {
		this.sandbox.close();
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
		run(TENANT, "a", "echo kept > ~/.m2/file; echo gone > ~/other; mkdir -p ~/.npm/a/b && ln -s a ~/.npm/c");
		assertThat(run(TENANT, "b", "cat ~/.m2/file; ls ~; cd ~/.npm/c/b && pwd"))
			.isEqualTo("kept\n" + run(TENANT, "b", "echo ~/.npm/c/b"));
		assertThat(run(OTHER, "a", "cat ~/.m2/file")).contains("No such file");
		assertThat(run(OTHER, "a", "ls " + this.caches)).contains("Permission denied");
		String other = run(TENANT, "b", "readlink -f ~/.m2").strip();
		assertThat(run(OTHER, "a", "cat " + other + "/file; echo x > " + other + "/file; ls " + other + "/.."))
			.doesNotContain("kept")
			.containsPattern("(?s)(Permission denied.*){3}");
		assertThat(run(TENANT, "c", "mv " + other + " " + other + "2; rmdir " + other + "; cat ~/.m2/file"))
			.containsPattern("(?s)(Permission denied.*){2}kept");
	}

	@Test
	void tooLargeCachesAreRemoved() {
		run(OTHER, "a", "echo kept > ~/.m2/file");
		run(TENANT, "a", "head -c 3000000 /dev/zero > ~/.m2/file");
		await().untilAsserted(() -> assertThat(run(TENANT, "a", "ls -A ~/.m2/ ~/.npm/")).hasLineCount(3));
		assertThat(run(TENANT, "a", "echo again > ~/.m2/file; cat ~/.m2/file")).isEqualTo("again\n");
		assertThat(run(OTHER, "b", "cat ~/.m2/file")).isEqualTo("kept\n");
		await().untilAsserted(() -> assertThat(this.sizes.get("tenant")).containsSequence(MAX_BYTES, 0L));
		await().untilAsserted(() -> assertThat(this.sizes.get("other")).isNotEmpty()
			.allMatch((bytes) -> bytes > 0 && bytes < MAX_BYTES));
	}

	@Test
	void readOnlyCommandChangesNoCache() {
		run(TENANT, "a", "echo kept > ~/.m2/file");
		assertThat(run(TENANT, "a", "cat ~/.m2/file; echo x > ~/.m2/file; rm ~/.m2/file; mkdir ~/.m2/new",
				(request) -> request.readOnly(true)))
			.startsWith("kept\n")
			.containsPattern("(?s)(Permission denied.*){3}");
		assertThat(run(TENANT, "a", "ls ~/.m2/; cat ~/.m2/file")).isEqualTo("file\nkept\n");
	}

	@Test
	void workspaceAboveTheCachesIsRefused() {
		assertThatExceptionOfType(SandboxException.class)
			.isThrownBy(() -> this.sandbox.start(new SandboxRequest.Builder("true", this.directory).build()))
			.withMessageContaining("no command may see");
	}

	@Test
	void commandWithoutASessionHasNoCache() {
		assertThat(run(TENANT, null, "ls -A ~; echo ran")).isEqualTo("ran\n");
		assertThat(this.caches).doesNotExist();
	}

	@Test
	void commandsRunWithoutCachesIfTheyCannotBeCreated() throws IOException {
		Files.createFile(this.caches);
		assertThat(run(TENANT, "a", "echo x > ~/.own; cat ~/.own; ls -A ~")).isEqualTo("x\n.own\n");
	}

	@Test
	void removedLinkIsBackInTheNextSession() {
		run(TENANT, "a", "echo kept > ~/.m2/file; rm -rf ~/.m2; mkdir ~/.m2");
		assertThat(run(TENANT, "b", "cat ~/.m2/file")).isEqualTo("kept\n");
	}

}
