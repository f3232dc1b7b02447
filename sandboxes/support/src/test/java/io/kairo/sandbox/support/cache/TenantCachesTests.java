package io.kairo.sandbox.support.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kairo.api.tenant.TenantContext;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.Sessions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link TenantCaches}.
 */
class TenantCachesTests {

	private static final TenantContext TENANT = new TenantContext("tenant", "principal");

	private final Sessions<CacheUse> none = new Sessions<>(Duration.ofMinutes(1), 1,
			(tenant, deadlines) -> CacheUse.NONE);

	private final List<Long> sizes = new CopyOnWriteArrayList<>();

	@TempDir
	Path temp;

	@AfterEach
	void close() {
		this.none.close();
	}

	private TenantCaches caches(@Nullable HostUser owner) {
		CacheOptions options = new CacheOptions(this.temp.resolve("lib/kairo/caches"), List.of(".m2"), 100_000,
				Duration.ofDays(7), (tenant, bytes, maxBytes) -> this.sizes.add(bytes));
		return new TenantCaches(options, "test", owner, () -> this.none);
	}

	private static Path fill(CacheUse use) throws IOException {
		return Files.write(Objects.requireNonNull(use.directories().get(".m2")).resolve("file"), new byte[200_000]);
	}

	@Test
	void cachesThatAnotherSandboxUsesAreNotRemoved() throws Exception {
		TenantCaches first = caches(null);
		TenantCaches second = caches(null);
		CacheUse use = first.use(TENANT);
		Path file = fill(use);
		second.use(TENANT).close();
		second.trim(TENANT);
		await().untilAsserted(() -> assertThat(this.sizes).containsExactly(100_000L));
		await().during(Duration.ofMillis(200)).untilAsserted(() -> assertThat(file).exists());
		assertThat(use.isUsable()).isTrue();
		use.close();
		await().untilAsserted(() -> {
			second.trim(TENANT);
			assertThat(file).doesNotExist();
		});
		// measured once, so that they are removed between commands that hardly leave time
		await().untilAsserted(() -> assertThat(this.sizes).containsExactly(100_000L, 0L));
	}

	@Test
	void cachesThatAnotherJvmUsesAreNotRemoved() throws Exception {
		TenantCaches caches = caches(null);
		CacheUse use = caches.use(TENANT);
		Path file = fill(use);
		Process other = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), CacheMarkProgram.class.getName(),
				file.getParent().getParent().toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try {
			assertThat(other.getInputStream().read()).isEqualTo('\n');
			use.close();
			caches.trim(TENANT);
			await().untilAsserted(() -> assertThat(this.sizes).containsExactly(100_000L));
			await().during(Duration.ofMillis(200)).untilAsserted(() -> assertThat(file).exists());
		}
		finally {
			other.destroyForcibly().waitFor();
		}
		// its mark is still there, but has no lock
		await().untilAsserted(() -> {
			caches.trim(TENANT);
			assertThat(file).doesNotExist();
		});
	}

	@Test
	void useOfRemovedCachesIsNotUsable() throws Exception {
		CacheUse use = caches(null).use(TENANT);
		Path directory = Objects.requireNonNull(use.directories().get(".m2"));
		assertThat(use.isUsable()).isTrue();
		Files.move(directory, this.temp.resolve("moved"));
		assertThat(use.isUsable()).isFalse();
		Files.createDirectory(directory);
		assertThat(use.isUsable()).isFalse();
		use.close();
	}

	@Test
	void unusedCachesAreForgotten() throws Exception {
		TenantCaches caches = caches(null);
		CacheUse use = caches.use(TENANT);
		Path own = Objects.requireNonNull(use.directories().get(".m2")).getParent();
		use.close();
		caches.trim(TENANT);
		await().untilAsserted(() -> assertThat(this.sizes).singleElement().isNotEqualTo(0L));
		Files.setLastModifiedTime(own, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
		TenantCaches later = caches(null);
		later.use(new TenantContext("other", "principal")).close();
		await().untilAsserted(() -> assertThat(own).doesNotExist());
	}

	@Test
	void otherUsersPassThroughDirectoriesAbove() throws Exception {
		HostUser other = new HostUser(65534, 65534);
		assumeThat(Objects.requireNonNull(HostUser.current()).uid()).as("SKIPPED: the user is root").isZero();
		HostUser.letPass(this.temp);
		TenantCaches caches = caches(other);
		try (CacheUse use = caches.use(TENANT)) {
			Path directory = Objects.requireNonNull(use.directories().get(".m2"));
			assertThat(other.barrier(directory)).isNull();
			assertThat(Files.getAttribute(directory, "unix:uid")).isEqualTo(65534);
			fill(use);
		}
		// after another user was configured
		try (CacheUse use = caches(new HostUser(1234, 1234)).use(TENANT)) {
			Path directory = Objects.requireNonNull(use.directories().get(".m2"));
			assertThat(directory).isEmptyDirectory();
			assertThat(Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)).isEqualTo(1234);
		}
	}

}
