package io.kairo.workspace.git;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePathException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for failures of remotes, which must not leave checkouts or stores behind.
 */
@ParameterizedClass
@EnumSource(names = { "GIT", "JGIT" })
class RemoteFailureTests extends ClientTests {

	private HttpGitServer server;

	private String hint;

	@BeforeEach
	void serve() throws IOException {
		this.server = closing(new HttpGitServer(this.base));
		this.hint = "git:" + this.server.url() + "/shop.git";
	}

	private void assertRefused(GitWorkspaceProvider provider, String hint, WorkspaceErrorCode code) throws IOException {
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> acquire(provider, hint))
			.satisfies((ex) -> assertThat(ex.code()).as(ex.getMessage()).isEqualTo(code))
			.satisfies((ex) -> assertThat(ex.getMessage()).containsPattern(".: [a-z]")
				.doesNotContain(this.base.toString().substring(1) + "/state"));
		assertThat(state().resolve("checkouts")).isDirectoryNotContaining(Files::isDirectory);
	}

	private void assertNoStoreIsLeft() {
		assertThat(state().resolve("stores")).isDirectoryNotContaining(Files::isDirectory);
	}

	private GitOptions limited(Duration timeout, long store, long checkout) {
		return options().withLimits(new GitLimits(timeout, store, checkout, 1 << 20));
	}

	@Test
	void acquireWithoutCredentialIsRefused() throws IOException {
		this.server.require("ann:s3cret-token");
		assertRefused(provider(), this.hint, WorkspaceErrorCode.REMOTE_REFUSED);
		assertNoStoreIsLeft();
	}

	@Test
	void acquireOfMissingRepositoryIsRefused() throws IOException {
		assertRefused(provider(), this.hint + "/no-such", WorkspaceErrorCode.REMOTE_REFUSED);
		assertNoStoreIsLeft();
	}

	@Test
	void serverThatBreaksOffIsUnreachable() throws IOException {
		Files.write(this.repository.work().resolve("noise.bin"), noise(300_000));
		this.repository.commit("x.txt", "x\n", "Add noise");
		this.repository.publish();
		this.server.dieAfter(100_000);
		assertRefused(provider(), this.hint, WorkspaceErrorCode.REMOTE_UNREACHABLE);
		assertNoStoreIsLeft();
		this.server.dieAfter(Long.MAX_VALUE);
		assertThat(acquire(provider(), this.hint).root().resolve("noise.bin")).hasSize(300_000);
	}

	@Test
	void silentServerIsUnreachableAfterTimeout() throws IOException {
		this.server.hang();
		long start = System.nanoTime();
		assertRefused(provider(limited(Duration.ofSeconds(2), 1 << 30, 1 << 30), GitCredentials.NONE), this.hint,
				WorkspaceErrorCode.REMOTE_UNREACHABLE);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
		assertNoStoreIsLeft();
	}

	@Test
	void stoppedServerIsUnreachable() throws IOException {
		this.server.close();
		assertRefused(provider(), this.hint, WorkspaceErrorCode.REMOTE_UNREACHABLE);
	}

	@Test
	void lastKnownStateIsCheckedOutInOfflineMode() throws IOException {
		GitOptions options = options().withFetchAfter(Duration.ZERO);
		GitWorkspaceProvider failing = provider(options, GitCredentials.NONE);
		GitWorkspaceProvider lenient = provider(options.withOffline(OfflineMode.LAST_KNOWN), GitCredentials.NONE);
		assertThat(acquire(lenient, this.hint).metadata()).doesNotContainKey("git.stale");
		this.server.close();
		Workspace workspace = acquire(lenient, this.hint);
		assertThat(workspace.metadata()).containsEntry("git.stale", "true").containsEntry("git.branch", "main");
		assertThat(Instant.parse(workspace.metadata().get("git.fetched"))).isBefore(Instant.now());
		lenient.release(workspace.id());
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> acquire(failing, this.hint))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.REMOTE_UNREACHABLE));
		assertThatExceptionOfType(WorkspaceException.class)
			.isThrownBy(() -> acquire(lenient, this.hint + "#never-seen"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.REMOTE_UNREACHABLE));
	}

	@Test
	void remoteLargerThanStoreLimitIsTooLarge() throws IOException {
		Files.write(this.repository.work().resolve("noise.bin"), noise(8_000_000));
		this.repository.commit("x.txt", "x\n", "Add noise");
		this.repository.publish();
		assertRefused(provider(limited(Duration.ofMinutes(2), 1_000_000, 1 << 30), GitCredentials.NONE), this.hint,
				WorkspaceErrorCode.TOO_LARGE);
		assertNoStoreIsLeft();
	}

	/**
	 * The system property {@code kairo.huge.bytes} sets the size of the file; ten
	 * gigabytes take minutes.
	 */
	@Test
	@Timeout(value = 30, unit = TimeUnit.MINUTES)
	void hugeCompressibleFileIsRejectedBeforeCheckout() throws IOException {
		Path zeros = this.repository.work().resolve("zeros.bin");
		try (RandomAccessFile file = new RandomAccessFile(zeros.toFile(), "rw")) {
			file.setLength(Long.getLong("kairo.huge.bytes", 20_000_000L));
		}
		GitProgram.run(this.repository.work(), "-c", "core.compression=1", "add", "zeros.bin");
		this.repository.commit("x.txt", "x\n", "Add zeros");
		Files.delete(zeros);
		this.repository.publish();
		GitWorkspaceProvider provider = provider(limited(Duration.ofMinutes(25), 100 << 20, 10 << 20),
				GitCredentials.NONE);
		assertRefused(provider, this.repository.hint(), WorkspaceErrorCode.TOO_LARGE);
		Workspace first = acquire(provider, this.repository.hint() + "#one");
		assertThat(first.id()).as("id of the first checkout").endsWith("@1");
	}

	@Test
	void remoteOutsideAllowListIsNotContacted() {
		GitWorkspaceProvider provider = provider(options().withAllowedUrls(this.server.url() + "/team"),
				GitCredentials.NONE);
		for (String other : new String[] { this.hint, "git:" + this.server.url() + "/teammates/x.git",
				this.repository.hint(), "git:" + this.server.url() + "/team/%2e%2e/shop.git" }) {
			assertThatExceptionOfType(WorkspacePathException.class).as(other)
				.isThrownBy(() -> acquire(provider, other))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.INVALID_PATH));
		}
		assertThat(this.server.requests()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "[::1]",
			"localhost", "x.localhost", "localhost:8443", "10.0.0.1", "169.254.169.254", "git.example.127.1" })
	void defaultAllowListHasNoAddresses(String host) {
		RemoteUrl url = RemoteUrl.parse("https://" + host + "/x.git");
		assertThat(GitOptions.in(state()).allows(url)).isFalse();
		assertThat(GitOptions.in(state()).withAllowedUrls("https://", "https://" + host).allows(url)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "git.example.org", "1.example.org:8443", "localhost.example.org", "127.0.0.1.example.org" })
	void defaultAllowListHasNames(String host) {
		assertThat(GitOptions.in(state()).allows(RemoteUrl.parse("https://" + host + "/127.1/x.git"))).isTrue();
	}

	@Test
	void storeIsUsableAfterKilledFetch() throws IOException {
		GitWorkspaceProvider provider = provider(options().withFetchAfter(Duration.ZERO), GitCredentials.NONE);
		acquire(provider, this.hint);
		try (var stores = Files.newDirectoryStream(state().resolve("stores"), "*.git")) {
			Path store = stores.iterator().next();
			for (String left : new String[] { "packed-refs.lock", "shallow.lock", "refs/heads/main.lock",
					"objects/pack/tmp_pack_abc" }) {
				Files.writeString(store.resolve(left), "left");
			}
			String commit = this.repository.commit("new.txt", "new\n", "Add new");
			this.repository.publish();
			assertThat(acquire(provider, this.hint).metadata()).containsEntry("git.commit", commit);
			assertThat(store.resolve("objects/pack/tmp_pack_abc")).doesNotExist();
		}
	}

	private static byte[] noise(int size) {
		byte[] noise = new byte[size];
		new Random(7).nextBytes(noise);
		return noise;
	}

}
