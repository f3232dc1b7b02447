package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the fetches from a remote, and for sharing stores between checkouts and
 * tenants.
 */
@ParameterizedClass
@EnumSource(names = { "GIT", "JGIT" })
class SharedStoreTests extends ClientTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final TenantContext OTHER = new TenantContext("other", "bob");

	private HttpGitServer server;

	private String hint;

	@BeforeEach
	void serve() throws IOException {
		this.server = closing(new HttpGitServer(this.base));
		this.hint = "git:" + this.server.url() + "/shop.git";
	}

	@Test
	void concurrentAcquiresOfFiveRefsDownloadOnce() throws Exception {
		GitWorkspaceProvider provider = provider();
		ExecutorService executor = Executors.newFixedThreadPool(5);
		try {
			List<Callable<Workspace>> calls = Stream.of("one", "two", "three", "four", "five")
				.map((ref) -> (Callable<Workspace>) () -> acquire(provider, this.hint + "#" + ref))
				.toList();
			for (Future<Workspace> call : executor.invokeAll(calls, 2, TimeUnit.MINUTES)) {
				Workspace workspace = call.get();
				assertThat(workspace.root().resolve("branch.txt"))
					.hasContent(workspace.metadata().get("git.branch") + "\n");
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.server.downloads()).isEqualTo(1);
	}

	@Test
	void recentFetchIsNotRepeated() {
		GitWorkspaceProvider provider = provider();
		acquire(provider, this.hint);
		int requests = this.server.requests();
		acquire(provider, this.hint);
		acquire(provider, this.hint + "#two");
		assertThat(this.server.requests()).isEqualTo(requests);
		acquire(provider(), this.hint + "#three");
		assertThat(this.server.requests()).as("another provider on the same directory").isEqualTo(requests);
	}

	@Test
	void oldFetchIsRepeatedAndDownloadsOnlyNewObjects() throws IOException {
		GitWorkspaceProvider provider = provider(options().withFetchAfter(Duration.ZERO), GitCredentials.NONE);
		acquire(provider, this.hint);
		long before = this.server.bytes();
		acquire(provider, this.hint);
		assertThat(this.server.downloads()).as("nothing new").isEqualTo(1);
		String commit = this.repository.commit("new.txt", "new\n", "Add new");
		this.repository.publish();
		assertThat(acquire(provider, this.hint).metadata()).containsEntry("git.commit", commit);
		assertThat(this.server.downloads()).isEqualTo(2);
		assertThat(this.server.bytes() - before).isLessThan(10_000);
	}

	@Test
	void deletedBranchIsNotFound() throws IOException {
		GitWorkspaceProvider provider = provider(options().withFetchAfter(Duration.ZERO), GitCredentials.NONE);
		acquire(provider, this.hint + "#one");
		GitProgram.run(this.repository.bare(), "branch", "-D", "one");
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> acquire(provider, this.hint + "#one"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.REF_NOT_FOUND));
	}

	@Test
	void deletedPullRequestIsNotFound() throws IOException {
		GitWorkspaceProvider provider = provider(options().withFetchAfter(Duration.ZERO), GitCredentials.NONE);
		acquire(provider, this.hint + "#pull/7");
		GitProgram.run(this.repository.bare(), "update-ref", "-d", "refs/pull/7/head");
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> acquire(provider, this.hint + "#pull/7"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.REF_NOT_FOUND));
	}

	@Test
	void tenantWithoutValidCredentialIsRefusedCommitsOfOtherTenant() throws IOException {
		this.server.require("ann:s3cret-token");
		GitWorkspaceProvider provider = provider(options(),
				(url, tenant) -> tenant.equals(ACME) ? new GitCredential("ann", "s3cret-token")
						: tenant.equals(OTHER) ? new GitCredential("ann", "wrong") : null);
		String commit = this.repository.id("one");
		provider.acquire(new WorkspaceRequest(this.hint, ACME, true));
		for (TenantContext stranger : List.of(OTHER, TenantContext.SINGLE)) {
			assertThatExceptionOfType(WorkspaceException.class).as(stranger.tenantId())
				.isThrownBy(() -> provider.acquire(new WorkspaceRequest(this.hint + "#" + commit, stranger, true)))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.REMOTE_REFUSED))
				.satisfies((ex) -> assertThat(ex).hasMessageNotContainingAny("wrong", "s3cret"));
		}
	}

	@Test
	void credentialIsTrustedOnlyAfterTheRemoteAcceptedIt() throws IOException {
		this.server.require("ann:s3cret-token");
		String[] secret = { "s3cret-token" };
		GitWorkspaceProvider provider = provider(options(), (url, tenant) -> new GitCredential("ann", secret[0]));
		String commit = acquire(provider, this.hint).metadata().get("git.commit");
		secret[0] = "guessed";
		assertThatExceptionOfType(WorkspaceException.class)
			.isThrownBy(() -> acquire(provider, this.hint + "#" + commit))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.REMOTE_REFUSED));
	}

	@Test
	void credentialIsNotWrittenToDisk() throws IOException {
		this.server.require("ann:s3cret-token");
		GitWorkspaceProvider provider = provider(options(), (url, tenant) -> new GitCredential("ann", "s3cret-token"));
		Workspace workspace = acquire(provider, this.hint);
		Files.writeString(workspace.root().resolve("README.md"), "changed\n");
		assertThat(history(workspace).commit("Change").isOk()).isTrue();
		assertThat(history(workspace).push("changed").isOk()).isTrue();
		assertThat(workspace.metadata().toString() + workspace.id()).doesNotContain("s3cret");
		try (Stream<Path> files = Files.walk(state())) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)).as(file.toString())
					.doesNotContain("s3cret", "YW5uOnMzY3JldC10b2tlbg");
			}
		}
	}

	@Test
	void borrowedDirectoryHasOnlyObjects() throws IOException {
		Workspace workspace = acquire(provider(), this.hint);
		Path objects = workspace.borrowedDirectories().get(0);
		assertThat(workspace.borrowedDirectories()).hasSize(1);
		assertThat(workspace.root().resolve(".git/objects/info/alternates")).hasContent(objects + "\n");
		try (Stream<Path> files = Files.walk(objects)) {
			assertThat(files.filter(Files::isRegularFile)).isNotEmpty()
				.allSatisfy((file) -> assertThat(objects.relativize(file).toString())
					.matches("[0-9a-f]{2}/[0-9a-f]{38}|pack/pack-[0-9a-f]{40}\\.(pack|idx|rev)"));
		}
	}

	@Test
	void tenantsWithCredentialsBorrowFromSeparateStores() {
		this.server.require("ann:s3cret-token");
		GitWorkspaceProvider provider = provider(options(), (url, tenant) -> new GitCredential("ann", "s3cret-token"));
		Workspace own = provider.acquire(new WorkspaceRequest(this.hint, ACME, true));
		Workspace other = provider.acquire(new WorkspaceRequest(this.hint, OTHER, true));
		assertThat(own.borrowedDirectories()).isNotEmpty().doesNotContainAnyElementsOf(other.borrowedDirectories());
	}

	@Test
	void removedStoreIsNotBorrowed() throws IOException {
		Workspace workspace = acquire(provider(), this.hint);
		new OwnedTree(workspace.borrowedDirectories().get(0).getParent()).remove();
		assertThat(workspace.borrowedDirectories()).isEmpty();
	}

}
