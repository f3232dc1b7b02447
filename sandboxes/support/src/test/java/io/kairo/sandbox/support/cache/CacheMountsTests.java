package io.kairo.sandbox.support.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.mount.MountPlan;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link CacheMounts}.
 */
class CacheMountsTests {

	private static final HostUser FIRST = new HostUser(61001, 61001);

	private static final HostUser SECOND = new HostUser(61002, 61001);

	@TempDir
	Path temp;

	private CacheMounts mounts(@Nullable HostUser owner) {
		CacheOptions options = new CacheOptions(this.temp.resolve("caches"), List.of(".m2"), 100_000,
				Duration.ofDays(7), (tenant, bytes, maxBytes) -> {
				});
		return new CacheMounts(options, "test", owner, Path.of("/caches"), Duration.ofMinutes(1));
	}

	/**
	 * Returns the cache of a command.
	 */
	private Path cache(CacheMounts mounts, @Nullable HostUser user) {
		MountPlan plan = new MountPlan();
		SandboxRequest request = new SandboxRequest.Builder("true", this.temp)
			.attributes(SandboxAttributes.builder().sessionId("one").build())
			.build();
		try (CacheMounts.Use use = mounts.addTo(plan, request, user)) {
			assertThat(use.targets()).containsExactly(Path.of("/caches/.m2"));
			assertThat(plan.entries()).hasSize(1);
			return plan.entries().get(0).source();
		}
	}

	@Test
	void usersOfCommandsHaveCachesOfTheirOwnIfTheJvmIsRoot() throws IOException {
		boolean root = HostUser.current().uid() == 0;
		try (CacheMounts mounts = mounts(null)) {
			Path first = cache(mounts, FIRST);
			Path second = cache(mounts, SECOND);
			assertThat(cache(mounts, FIRST)).isEqualTo(first);
			assertThat(first.equals(second)).isNotEqualTo(root);
			assertThat(Files.getAttribute(first, "unix:uid")).isEqualTo(root ? 61001 : HostUser.current().uid());
			assertThat(Files.getAttribute(second, "unix:uid")).isEqualTo(root ? 61002 : HostUser.current().uid());
		}
	}

	@Test
	void configuredUserOwnsAllCaches() throws IOException {
		assumeThat(HostUser.current().uid()).as("SKIPPED: only root runs commands as another user").isZero();
		try (CacheMounts mounts = mounts(SECOND)) {
			Path cache = cache(mounts, FIRST);
			assertThat(cache(mounts, null)).isEqualTo(cache);
			assertThat(Files.getAttribute(cache, "unix:uid")).isEqualTo(61002);
			assertThat(cache.getParent().getParent()).hasFileName("test");
		}
	}

}
