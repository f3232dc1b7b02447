package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.Workspace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the removal of idle stores.
 */
@ParameterizedClass
@EnumSource(names = { "GIT", "JGIT" })
class StoreSweepTests extends ClientTests {

	private static final Duration WEEK = Duration.ofDays(7);

	private List<Path> stores() throws IOException {
		List<Path> found = new ArrayList<>();
		try (DirectoryStream<Path> stores = Files.newDirectoryStream(state().resolve("stores"), "*.git")) {
			stores.forEach(found::add);
		}
		return found;
	}

	private void age(Duration age) throws IOException {
		for (Path store : stores()) {
			Files.setLastModifiedTime(store.resolve("used"), FileTime.from(Instant.now().minus(age)));
		}
	}

	private GitWorkspaceProvider anotherProvider() {
		return provider(options().withStoreIdleTimeout(WEEK), GitCredentials.NONE);
	}

	@Test
	void sweepRemovesIdleStore() throws IOException {
		GitWorkspaceProvider provider = anotherProvider();
		provider.release(acquire(provider, this.repository.hint()).id());
		age(WEEK.plusDays(1));
		anotherProvider();
		assertThat(stores()).isEmpty();
		Workspace again = acquire(provider, this.repository.hint());
		assertThat(again.root().resolve("README.md")).hasContent("# shop\n");
	}

	@Test
	void sweepKeepsRecentlyUsedStore() throws IOException {
		GitWorkspaceProvider provider = anotherProvider();
		provider.release(acquire(provider, this.repository.hint()).id());
		age(WEEK.minusDays(1));
		anotherProvider();
		assertThat(stores()).hasSize(1);
		age(WEEK.plusDays(1));
		provider.release(acquire(provider, this.repository.hint()).id());
		anotherProvider();
		assertThat(stores()).as("used just now").hasSize(1);
	}

	@Test
	void sweepKeepsStoreOfCheckout() throws IOException {
		GitWorkspaceProvider provider = anotherProvider();
		Workspace workspace = acquire(provider, this.repository.hint());
		age(WEEK.plusDays(1));
		anotherProvider();
		assertThat(stores()).hasSize(1);
		Files.writeString(workspace.root().resolve("README.md"), "changed\n");
		assertThat(history(workspace).commit("Change").isOk()).isTrue();
	}

	@Test
	void sweepKeepsLockedStore() throws IOException {
		GitWorkspaceProvider provider = anotherProvider();
		provider.release(acquire(provider, this.repository.hint()).id());
		age(WEEK.plusDays(1));
		Path store = stores().get(0);
		try (StoreLock lock = new StoreLock(store.resolveSibling(store.getFileName() + ".lock"));
				StoreLock.Hold hold = lock.hold(Deadline.after(Duration.ofSeconds(10)))) {
			anotherProvider();
			assertThat(stores()).hasSize(1);
		}
	}

	@Test
	void sweepKeepsAllStoresWithoutIdleTimeout() throws IOException {
		GitWorkspaceProvider provider = provider(options().withStoreIdleTimeout(Duration.ZERO), GitCredentials.NONE);
		provider.release(acquire(provider, this.repository.hint()).id());
		age(Duration.ofDays(10_000));
		provider(options().withStoreIdleTimeout(Duration.ZERO), GitCredentials.NONE);
		assertThat(stores()).hasSize(1);
	}

	@Test
	void credentialIsVerifiedAgainAfterStoreWasRemoved() throws IOException {
		HttpGitServer server = closing(new HttpGitServer(this.base));
		server.require("ann:s3cret-token");
		GitWorkspaceProvider provider = provider(options().withStoreIdleTimeout(WEEK),
				(url, tenant) -> new GitCredential("ann", "s3cret-token"));
		String hint = "git:" + server.url() + "/shop.git";
		provider.release(acquire(provider, hint).id());
		age(WEEK.plusDays(1));
		anotherProvider();
		assertThat(acquire(provider, hint).metadata()).containsEntry("git.branch", "main");
	}

}
