package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.cache.CacheMounts;
import io.kairo.sandbox.support.cache.CacheOptions;
import io.kairo.sandbox.support.output.OutputLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests the caches of commands in containers of an application that runs as root without
 * a user for commands.
 */
@Timeout(60)
class OwnerCachesTests {

	@TempDir
	Path temp;

	@Test
	void cachesBelongToTheOwnerOfTheWorkspace() throws IOException {
		assumeThat(HostUser.current().uid()).as("SKIPPED: only root runs commands as another user").isZero();
		Path workspace = Files.createDirectory(this.temp.toRealPath().resolve("workspace"));
		Files.setAttribute(workspace, "unix:uid", 61001, LinkOption.NOFOLLOW_LINKS);
		CacheOptions caches = new CacheOptions(this.temp.resolve("caches"), List.of(".m2"), 100_000, Duration.ofDays(7),
				(tenant, bytes, maxBytes) -> {
				});
		try (ScriptedEngine engine = new ScriptedEngine();
				PrivateDirectory directory = new PrivateDirectory(this.temp.resolve("sandbox"));
				CacheMounts mounts = new CacheMounts(caches, "docker", null, Path.of(ContainerFactory.HOME),
						Duration.ofSeconds(1))) {
			DockerOptions options = DockerOptions.of("agents")
				.with((changes) -> changes.host(engine.address())
					.commands((commands) -> commands.directory(this.temp.resolve("sandbox")).caches(caches)));
			SandboxRequest request = new SandboxRequest.Builder("true", workspace)
				.attributes(SandboxAttributes.builder().sessionId("one").build())
				.build();
			DockerImage image = new DockerImage("agents", Map.of(), "sh", false, MountProof.TABLE,
					new CommandLimits(null, null, null, null), Map.of());
			engine.expect(1);
			try (Containers containers = new Containers(options, () -> {
			})) {
				new ContainerLaunch(options, directory, containers,
						new ContainerFactory(new DockerEngine(options), options, "sandbox", false), null, mounts)
					.start(image, request, List.of(), List.of("true"), new OutputLog(1, 0, directory));
			}
			assertThat(engine.requests).singleElement()
				.asString()
				.contains("\"61001\"", "\"" + ContainerFactory.HOME + "/.m2\"",
						this.temp.resolve("caches/docker-61001").toString());
		}
	}

}
