package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.TestWorkspaces;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LocalDirectoryWorkspaceProvider} where directories change or vanish
 * while it is in use.
 */
class LinkedDirectoriesTests {

	@TempDir
	Path temp;

	private Path base;

	private Path other;

	private LocalDirectoryWorkspaceProvider provider;

	@BeforeEach
	void createDirectories() throws IOException {
		this.temp = this.temp.toRealPath();
		this.base = TestWorkspaces.directory(this.temp.resolve("base"));
		this.provider = new LocalDirectoryWorkspaceProvider(this.base);
		TestWorkspaces.directory(this.base.resolve("one"));
		this.other = TestWorkspaces.directory(this.base.resolve("other"));
		TestWorkspaces.link(this.base.resolve("current"), "one");
	}

	@Test
	void redirectedLinkIsTheRootOfAnotherWorkspace() throws IOException {
		Workspace first = acquire("current");
		pointElsewhere();
		Workspace second = acquire("current");
		assertThat(second.id()).isNotEqualTo(first.id());
		assertThat(second.root()).isEqualTo(this.other);
		assertThat(acquire("current")).isSameAs(second);
		assertThat(acquire("other")).isSameAs(second);
		assertThat(acquire("one")).isSameAs(first);
		this.provider.release(first.id());
		this.provider.release(second.id());
		assertThat(acquire("current").root()).isEqualTo(this.base.resolve("current"));
	}

	@Test
	void routerDistinguishesWorkspacesOfARedirectedLink() throws IOException {
		TestWorkspaces.file(this.base.resolve("one/who"), "one");
		TestWorkspaces.file(this.other.resolve("who"), "other");
		RoutingWorkspaceProvider router = new RoutingWorkspaceProvider("local",
				List.of(new WorkspaceProviderRegistration("local", this.provider,
						new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS))),
				List.of());
		Workspace first = router.acquire(WorkspaceRequest.writable("current"));
		assertThat(router.files().open(first).tryReadFile("who").value().content()).isEqualTo("one");
		pointElsewhere();
		Workspace second = router.acquire(WorkspaceRequest.writable("current"));
		assertThat(router.files().open(second).tryReadFile("who").value().content()).isEqualTo("other");
		assertThat(router.files().open(first).tryReadFile("who").value().content()).isEqualTo("one");
	}

	private void pointElsewhere() throws IOException {
		Files.delete(this.base.resolve("current"));
		TestWorkspaces.link(this.base.resolve("current"), "other");
	}

	private Workspace acquire(String hint) {
		return this.provider.acquire(WorkspaceRequest.writable(hint));
	}

	@ParameterizedTest
	@EnumSource(names = { "LOGICAL", "RELATIVE_ONLY" })
	void messagesDoNotNameTheHostIfThePolicyHidesIt(PathPolicy policy) {
		Path gone = this.temp.resolve("gone");
		LocalDirectoryWorkspaceProvider provider = new LocalDirectoryWorkspaceProvider(
				List.of(RootTemplate.parse(gone.toString())), "default",
				new LocalFilesOptions(policy, WritePolicy.ALLOW_ALL, null));
		for (String hint : Arrays.asList(null, "", "sub/dir", "local:sub/dir")) {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> provider.acquire(WorkspaceRequest.writable(hint)))
				.withMessageContaining((hint != null) ? hint : "operator")
				.withMessageNotContaining(this.temp.toString())
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.FILE_NOT_FOUND));
		}
	}

}
