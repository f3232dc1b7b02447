package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WorkspaceRoots}.
 */
class WorkspaceRootsTests {

	@TempDir
	Path directory;

	private Path temp;

	private Path added;

	@BeforeEach
	void makeDirectories() throws IOException {
		this.temp = this.directory.toRealPath();
		TestWorkspaces.directory(this.temp.resolve("base"));
		TestWorkspaces.directory(this.temp.resolve("agents"));
		this.added = TestWorkspaces.directory(this.temp.resolve("added"));
		TestWorkspaces.file(this.added.resolve("lib.txt"), "library");
	}

	@Nested
	class OfOneTenant {

		private final LocalFilesOptions options = LocalFilesOptions.DEFAULTS;

		@Test
		void addedRootsTakeEffectForWorkspacesInUseInOrder() throws IOException {
			LocalDirectoryWorkspaceProvider provider = provider("base");
			Workspace workspace = acquire(provider, "default");
			LocalWorkspaceFilesFactory factory = new LocalWorkspaceFilesFactory(this.options);
			assertRefused(() -> {
				WorkspaceFiles files = factory.open(workspace);
				files.resolve(added() + "/lib.txt", files.root());
			}, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			Path second = TestWorkspaces.directory(temp().resolve("second"));
			assertThat(provider.added().add(second)).isEqualTo(second);
			assertThat(provider.added().add(added())).isEqualTo(added());
			assertThat(workspace.roots()).containsExactly(temp().resolve("base"), second, added());
			assertThat(workspace.root()).isEqualTo(temp().resolve("base"));
			assertThat(acquire(provider, "default")).isSameAs(workspace);
			WorkspaceFiles files = factory.open(workspace);
			assertThat(files.read(files.resolve(added() + "/lib.txt", files.root()), 0, 100).isOk()).isTrue();
			assertThat(provider.readOnly().acquire(WorkspaceRequest.writable(null)).roots()).contains(second);
		}

		@Test
		void addedRootsAreListedOnceAndKnownByTheirOtherSpellings() throws IOException {
			LocalDirectoryWorkspaceProvider provider = provider("base");
			Workspace workspace = acquire(provider, "default");
			Path link = TestWorkspaces.link(temp().resolve("link"), added());
			Path alias = TestWorkspaces.link(temp().resolve("alias"), temp().resolve("base"));
			assertThat(provider.added().add(link)).isEqualTo(added());
			assertThat(provider.added().add(added().resolve("../added/."))).isEqualTo(added());
			assertThat(provider.added().add(alias)).isEqualTo(temp().resolve("base"));
			assertThat(provider.added().addFor("default", link)).isEqualTo(added());
			assertThat(provider.added().of("default")).containsExactly(added(), temp().resolve("base"));
			assertThat(workspace.roots()).containsExactly(temp().resolve("base"), added());
			assertThat(workspace.rootAliases()).containsOnly(Map.entry(link, added()),
					Map.entry(alias, temp().resolve("base")));
			WorkspaceFiles files = new LocalWorkspaceFilesFactory(this.options).open(workspace);
			for (Path spelling : List.of(added(), link)) {
				WorkspacePath found = files.resolve(spelling + "/lib.txt", files.root());
				assertThat(files.read(found, 0, 100).isOk()).isTrue();
				assertThat(files.display(found)).isEqualTo(added() + "/lib.txt");
			}
			provider.release(workspace.id());
			assertThat(provider.acquire(WorkspaceRequest.writable(alias.toString())).roots()).containsExactly(alias,
					added());
		}

		@Test
		void linkThatLeadsElsewhereMeanwhileIsNoSpelling() throws IOException {
			LocalDirectoryWorkspaceProvider provider = provider("base");
			Workspace workspace = acquire(provider, "default");
			Path link = TestWorkspaces.link(temp().resolve("link"), added());
			provider.added().add(link);
			Files.delete(link);
			TestWorkspaces.link(link, temp().resolve("agents"));
			assertThat(workspace.roots()).containsExactly(temp().resolve("base"), added());
			assertThat(workspace.rootAliases()).isEmpty();
		}

		@Test
		void configuredRootIsKnownByItsLink() throws IOException {
			TestWorkspaces.link(temp().resolve("link"), added());
			TestWorkspaces.link(temp().resolve("base/inside"), added());
			TestWorkspaces.link(temp().resolve("foreign"), temp().resolve("agents"));
			LocalDirectoryWorkspaceProvider templates = provider("base", "link", "base/inside");
			LocalDirectoryWorkspaceProvider paths = new LocalDirectoryWorkspaceProvider(temp().resolve("base"),
					List.of(temp().resolve("link"), temp().resolve("base/inside")));
			for (LocalDirectoryWorkspaceProvider provider : List.of(templates, paths)) {
				Workspace workspace = acquire(provider, "default");
				assertThat(workspace.roots()).containsExactly(temp().resolve("base"), added());
				assertThat(workspace.rootAliases()).containsOnly(Map.entry(temp().resolve("link"), added()));
				WorkspaceFiles files = new LocalWorkspaceFilesFactory(this.options).open(workspace);
				for (String spelling : List.of("added", "link", "base/inside")) {
					WorkspacePath found = files.resolve(temp() + "/" + spelling + "/lib.txt", files.root());
					assertThat(files.read(found, 0, 100).isOk()).as(spelling).isTrue();
				}
				assertThat(files.locate(temp().resolve("link/lib.txt")))
					.isEqualTo(new WorkspacePath(added(), "lib.txt"));
				assertRefused(() -> files.resolve(temp() + "/foreign/x", files.root()),
						WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			}
		}

		@Test
		void rootIsTakenBackByEitherSpelling() throws IOException {
			LocalDirectoryWorkspaceProvider provider = provider("base");
			Workspace workspace = acquire(provider, "default");
			Path link = TestWorkspaces.link(temp().resolve("link"), added());
			for (Path spelling : List.of(link, added(), added().resolve("../added"))) {
				provider.added().add(link);
				assertThat(workspace.roots()).contains(added());
				assertThat(provider.added().removeFor("default", spelling)).isFalse();
				assertThat(provider.added().remove(spelling)).isTrue();
				assertThat(provider.added().remove(spelling)).isFalse();
				assertThat(workspace.roots()).containsExactly(temp().resolve("base"));
			}
			provider.added().addFor("default", added());
			assertThat(provider.added().remove(added())).isFalse();
			assertThat(provider.added().removeFor("default", added())).isTrue();
		}

		@Test
		void vanishedRootDropsOutWhileItIsGone() throws IOException {
			LocalDirectoryWorkspaceProvider provider = provider("base");
			Workspace workspace = acquire(provider, "default");
			provider.added().add(added());
			Path moved = Files.move(added(), temp().resolve("moved"));
			assertThat(workspace.roots()).containsExactly(temp().resolve("base"));
			assertThat(provider.added().of("default")).isEmpty();
			TestWorkspaces.link(added(), moved);
			assertThat(workspace.roots()).containsExactly(temp().resolve("base"));
			Files.delete(added());
			Files.move(moved, added());
			assertThat(workspace.roots()).containsExactly(temp().resolve("base"), added());
		}

		@ParameterizedTest
		@ValueSource(strings = { "", "  " })
		void blankRootIsRefused(String blank) {
			WorkspaceRoots roots = provider("base").added();
			assertRefused(() -> roots.add(Path.of(blank)), WorkspaceErrorCode.INVALID_PATH, "blank");
			assertRefused(() -> roots.addFor("default", Path.of(blank)), WorkspaceErrorCode.INVALID_PATH, "blank");
		}

		@Test
		void addedRootsMustBeReadableDirectories() throws IOException {
			WorkspaceRoots roots = provider("base").added();
			Path file = TestWorkspaces.file(temp().resolve("file"), "x");
			assertRefused(() -> roots.add(temp().resolve("missing")), WorkspaceErrorCode.FILE_NOT_FOUND, "missing",
					"does not exist");
			assertRefused(() -> roots.add(file), WorkspaceErrorCode.NOT_A_DIRECTORY, "file", "is not a directory");
			Path closed = TestWorkspaces.directory(temp().resolve("closed"));
			closed.toFile().setReadable(false);
			Assumptions.assumeFalse(Files.isReadable(closed), "this user reads everything");
			assertRefused(() -> roots.add(closed), WorkspaceErrorCode.PERMISSION_DENIED, "closed", "is not readable");
		}

		@Test
		void addRefusesPolicyWithOnlyAPrimaryRoot() {
			WorkspaceRoots roots = provider(this.options.withPathPolicy(PathPolicy.RELATIVE_ONLY), "base").added();
			assertRefused(() -> roots.add(added()), WorkspaceErrorCode.INVALID_PATH, "relative-only", "primary root");
			assertThat(roots.of("default")).isEmpty();
		}

		@Test
		void stateDirectoryCannotBeAdded() throws IOException {
			Path state = TestWorkspaces.directory(temp().resolve("state"));
			Path inside = TestWorkspaces.directory(state.resolve("journal"));
			WorkspaceRoots roots = provider(this.options.withStateDirectory(state), "base").added();
			assertRefused(() -> roots.add(state), WorkspaceErrorCode.PERMISSION_DENIED, "state");
			assertRefused(() -> roots.add(inside), WorkspaceErrorCode.PERMISSION_DENIED, "journal");
			assertRefused(() -> roots.add(temp()), WorkspaceErrorCode.PERMISSION_DENIED, "contains the state");
		}

		@Test
		void workspaceCannotOverlapStateDirectory() throws IOException {
			Path state = TestWorkspaces.directory(temp().resolve("base/state"));
			LocalDirectoryWorkspaceProvider provider = provider(this.options.withStateDirectory(state), "base");
			assertRefused(() -> provider.acquire(WorkspaceRequest.writable(null)), WorkspaceErrorCode.PERMISSION_DENIED,
					"contains the state");
			assertRefused(() -> provider.acquire(WorkspaceRequest.writable("state")),
					WorkspaceErrorCode.PERMISSION_DENIED, "belongs to the state");
			assertThat(provider.acquire(WorkspaceRequest.writable(added().toString())).root()).isEqualTo(added());
		}

		@Test
		void addForRefusesTenantWithoutWorkspaces() {
			WorkspaceRoots roots = provider("base").added();
			assertRefused(() -> roots.addFor("acme", added()), WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED, "acme");
		}

		@Test
		void concurrentAddsAddARootOnce() throws Exception {
			WorkspaceRoots roots = provider("base").added();
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				threads.add(new Thread(() -> roots.add(added())));
			}
			threads.forEach(Thread::start);
			for (Thread thread : threads) {
				thread.join();
			}
			assertThat(roots.of("default")).containsExactly(added());
		}

	}

	@Nested
	class OfManyTenants {

		private LocalDirectoryWorkspaceProvider provider;

		private Workspace acme;

		private Workspace globex;

		@BeforeEach
		void acquireBoth() {
			this.provider = provider("agents/{tenant}/work");
			this.acme = acquire(this.provider, "acme");
			this.globex = acquire(this.provider, "globex");
		}

		@Test
		void addedRootsAreSharedOrPrivateToATenant() throws IOException {
			Path own = TestWorkspaces.directory(temp().resolve("own"));
			this.provider.added().add(added());
			this.provider.added().addFor("acme", own);
			assertThat(this.acme.roots()).containsExactly(this.acme.root(), added(), own);
			assertThat(this.globex.roots()).containsExactly(this.globex.root(), added());
		}

		@Test
		void addRefusesRootsThatOverlapDirectoriesOfTenants() throws IOException {
			WorkspaceRoots roots = this.provider.added();
			Path agents = temp().resolve("agents");
			Path link = TestWorkspaces.link(this.acme.root().resolve("link"), this.globex.root());
			for (Path bad : List.of(agents, temp(), this.globex.root(), agents.resolve("globex"), link)) {
				assertRefused(() -> roots.addFor("acme", bad), WorkspaceErrorCode.PERMISSION_DENIED, "overlaps");
				assertRefused(() -> roots.add(bad), WorkspaceErrorCode.PERMISSION_DENIED, "overlaps");
			}
			assertRefused(() -> roots.add(this.acme.root()), WorkspaceErrorCode.PERMISSION_DENIED, "overlaps");
			assertThat(roots.addFor("acme", agents.resolve("acme"))).isEqualTo(agents.resolve("acme"));
		}

		@Test
		void addedRootsOfTenantsAreSeparate() throws IOException {
			WorkspaceRoots roots = this.provider.added();
			Path below = TestWorkspaces.directory(added().resolve("below"));
			roots.addFor("acme", added());
			assertRefused(() -> roots.addFor("globex", added()), WorkspaceErrorCode.PERMISSION_DENIED);
			assertRefused(() -> roots.addFor("globex", below), WorkspaceErrorCode.PERMISSION_DENIED);
			assertRefused(() -> roots.add(below), WorkspaceErrorCode.PERMISSION_DENIED);
			assertThat(roots.addFor("acme", below)).isEqualTo(below);
		}

		@Test
		void addForRefusesTenantThatCannotHaveADirectory() {
			assertRefused(() -> this.provider.added().addFor("../acme", added()), WorkspaceErrorCode.INVALID_PATH);
		}

	}

	@Test
	void missingConfiguredRootIsOmitted() throws IOException {
		LocalDirectoryWorkspaceProvider provider = provider("base", "added", "agents");
		Path moved = Files.move(this.added, this.temp.resolve("moved"));
		Workspace workspace = acquire(provider, "default");
		assertThat(workspace.roots()).containsExactly(this.temp.resolve("base"), this.temp.resolve("agents"));
		provider.release(workspace.id());
		Files.move(moved, this.added);
		assertThat(acquire(provider, "default").roots()).contains(this.added);
	}

	private LocalDirectoryWorkspaceProvider provider(String... templates) {
		return provider(LocalFilesOptions.DEFAULTS, templates);
	}

	private LocalDirectoryWorkspaceProvider provider(LocalFilesOptions options, String... templates) {
		return new LocalDirectoryWorkspaceProvider(
				Stream.of(templates).map((text) -> RootTemplate.parse(this.temp + "/" + text)).toList(), "default",
				options);
	}

	private Path temp() {
		return this.temp;
	}

	private Path added() {
		return this.added;
	}

	private static Workspace acquire(LocalDirectoryWorkspaceProvider provider, String tenant) {
		return provider.acquire(new WorkspaceRequest(null, new TenantContext(tenant, "ann"), true));
	}

	private static void assertRefused(ThrowingCallable call, WorkspaceErrorCode code, String... message) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(call).satisfies((ex) -> {
			assertThat(ex.code()).isEqualTo(code);
			List.of(message).forEach((part) -> assertThat(ex).hasMessageContaining(part));
		});
	}

}
