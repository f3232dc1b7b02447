package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.cache.CacheOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the caches of tenants in a {@link MicroVmSandbox}.
 */
@RequiresMicroVm
@EnabledIfSystemProperty(named = "kairo.microvm", matches = "all", disabledReason = "requires -Dkairo.microvm=all")
@Timeout(300)
class MicroVmCacheTests {

	private static final TenantContext TENANT = new TenantContext("tenant", "principal");

	private static final TenantContext OTHER = new TenantContext("other", "principal");

	@TempDir
	Path temp;

	private String run(ExecutionSandbox sandbox, TenantContext tenant, @Nullable String session, String command,
			Consumer<SandboxRequest.Builder> changes) throws IOException {
		Path workspace = Files.createDirectories(this.temp.toRealPath().resolve("workspace"));
		SandboxRequest.Builder request = new SandboxRequest.Builder(command, workspace).tenant(tenant)
			.timeout(Duration.ofMinutes(1))
			.attributes(SandboxAttributes.builder().sessionId(session).redirectErrorStream(true).build());
		changes.accept(request);
		return MicroVmFixture.run(sandbox, request.build()).out();
	}

	private String run(ExecutionSandbox sandbox, TenantContext tenant, @Nullable String session, String command)
			throws IOException {
		return run(sandbox, tenant, session, command, (request) -> {
		});
	}

	@Test
	void cachesLastFromSessionToSessionUntilTheyAreTooLarge() throws Exception {
		HostUser.letPass(this.temp);
		CacheOptions options = new CacheOptions(this.temp.toRealPath().resolve("caches"), List.of(".m2", ".npm"),
				1_000_000, Duration.ofDays(7), (tenant, bytes, maxBytes) -> {
				});
		MicroVmSandbox opened = MicroVmFixture.sandbox(
				MicroVmFixture.options().with((changes) -> changes.commands((commands) -> commands.caches(options))));
		try (opened) {
			ExecutionSandbox sandbox = MicroVmFixture.granting(opened);
			run(sandbox, TENANT, "a", "echo kept > ~/.m2/file; echo gone > ~/other");
			assertThat(run(sandbox, TENANT, "b", "cat ~/.m2/file; ls -A ~; stat -c %u ~/.m2/file; id -u"))
				.matches("kept\n\\.m2\n\\.npm\n(\\d+)\n\\1\n");
			assertThat(run(sandbox, OTHER, "a", "cat ~/.m2/file; ls ~/.m2/ /caches/.m2")).doesNotContain("kept")
				.contains("No such file");
			assertThat(run(sandbox, TENANT, null, "ls -A ~")).isEmpty();
			assertThat(run(sandbox, TENANT, "a", "cat ~/.m2/file; echo x > ~/.m2/file; rm ~/.m2/file",
					(request) -> request.readOnly(true)))
				.startsWith("kept\n")
				.containsPattern("(?s)(Read-only file system.*){2}");
			run(sandbox, TENANT, "a", "rm -rf ~/.m2; ln -s / ~/.m2; ls ~/.m2/");
			assertThat(run(sandbox, TENANT, "b", "cat ~/.m2/file")).isEqualTo("kept\n");
			run(sandbox, TENANT, "b", "head -c 3000000 /dev/zero > ~/.m2/large");
			await().atMost(Duration.ofSeconds(90))
				.pollInterval(Duration.ofSeconds(1))
				.untilAsserted(() -> assertThat(run(sandbox, TENANT, "c", "ls -A ~/.m2/")).isEmpty());
			assertThat(run(sandbox, TENANT, "b", "echo again > ~/.m2/file; cat ~/.m2/file")).isEqualTo("again\n");
		}
	}

}
