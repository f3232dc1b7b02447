package io.kairo.tools.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.tools.CurrentDirectory;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.repository.RepositoryGuard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link CommandBounds}.
 */
class CommandBoundsTests {

	private static final SandboxCapability[] BOTH = { SandboxCapability.PROTECTED_PATHS, SandboxCapability.MOUNTS };

	@TempDir
	Path root;

	private static CommandBounds of(ToolContext context) {
		try {
			return CommandBounds.of(context, PreparedCommand.watch(context, null).protectedPaths());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private CommandBounds bounds(WritePolicy policy, SandboxCapability... capabilities) {
		return bounds(WorkspaceRequest.writable(null), policy, capabilities);
	}

	private CommandBounds bounds(WorkspaceRequest request, WritePolicy policy, SandboxCapability... capabilities) {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(request);
		return of(ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(policy)).open(workspace))
			.sandbox(new Claiming(capabilities))
			.build());
	}

	private static WritePolicy allowing(String... prefixes) {
		return new WritePolicy(false, List.of(), List.of(prefixes));
	}

	private Mount writable(String path) throws IOException {
		return new Mount(this.root.toRealPath().resolve(path), true);
	}

	@Test
	void protectedPathsArePassedWhenSandboxEnforcesThem() {
		WritePolicy policy = new WritePolicy(false, List.of(".git/hooks", ".claude", "**/.git/config"), List.of());
		assertThat(bounds(policy, BOTH).protectedPaths()).containsExactly(".git/hooks", ".claude");
		assertThat(bounds(policy, BOTH).readOnly()).isFalse();
		assertThat(bounds(policy, SandboxCapability.MOUNTS).protectedPaths()).isEmpty();
	}

	@Test
	void readOnlyBoundsHaveNoProtectedPaths() {
		WritePolicy policy = new WritePolicy(true, List.of(".git/hooks"), List.of());
		assertThat(bounds(policy, BOTH)).isEqualTo(new CommandBounds(true, List.of(), List.of()));
		assertThat(bounds(WorkspaceRequest.readOnly(null), WritePolicy.ALLOW_ALL, BOTH).readOnly()).isTrue();
		assertThat(bounds(policy).readOnly()).as("a sandbox that cannot enforce it has to refuse").isTrue();
	}

	@Test
	void onlyExistingAllowedPrefixesAreWritable() throws IOException {
		Files.createDirectories(this.root.resolve("src/main"));
		Files.createDirectory(this.root.resolve("out"));
		CommandBounds bounds = bounds(allowing("out", "src", "src/main", "missing"), BOTH);
		assertThat(bounds.readOnly()).isTrue();
		assertThat(bounds.mounts()).containsExactlyInAnyOrder(writable("out"), writable("src"));
		assertThat(bounds(allowing("out"), SandboxCapability.PROTECTED_PATHS).readOnly()).isFalse();
	}

	@Test
	void confinedCommandSeesFurtherRootsWhereTheyAre(@TempDir Path further) throws IOException {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root, List.of(further))
			.acquire(WorkspaceRequest.writable(null));
		Files.createDirectory(this.root.resolve("out"));
		ToolContext.Builder context = ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(allowing("out")))
				.open(workspace));
		assertThat(of(context.sandbox(new Claiming(SandboxCapability.FILE_CONFINEMENT)).build()))
			.isEqualTo(new CommandBounds(false, List.of(new Mount(further.toRealPath(), true)), List.of()));
		assertThat(of(context.sandbox(new Claiming()).build()).mounts()).isEmpty();
	}

	@Test
	void allowedPrefixThatLinksOutsideIsNotMounted() throws IOException {
		Files.createSymbolicLink(this.root.resolve("out"), Path.of("/"));
		assertThat(bounds(allowing("out"), BOTH)).isEqualTo(new CommandBounds(true, List.of(), List.of()));
	}

	@Test
	void emptyAllowedPrefixImposesNoBound() {
		assertThat(bounds(allowing(""), BOTH)).isEqualTo(new CommandBounds(false, List.of(), List.of()));
	}

	@Test
	void boundsDependOnCapabilitiesForTenant() {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
		WritePolicy policy = new WritePolicy(false, List.of("a"), List.of());
		ExecutionSandbox nothingForAcme = new Claiming(BOTH) {

			@Override
			public SandboxCapabilities capabilities(TenantContext tenant) {
				return tenant.tenantId().equals("acme") ? SandboxCapabilities.none("acme") : capabilities();
			}

		};
		ToolContext.Builder context = ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(policy)).open(workspace))
			.sandbox(nothingForAcme);
		assertThat(of(context.tenant(TenantContext.SINGLE).build()).protectedPaths()).isNotEmpty();
		assertThat(of(context.tenant(new TenantContext("acme", "alice")).build()).protectedPaths()).isEmpty();
	}

	@Test
	void rootIsMountedAtItsAlias() throws IOException {
		Path base = Files.createDirectory(this.root.toRealPath().resolve("base"));
		Path library = Files.createDirectory(base.resolveSibling("library"));
		Path link = Files.createSymbolicLink(base.resolveSibling("link"), library);
		Workspace workspace = new LocalDirectoryWorkspaceProvider(base, List.of(link))
			.acquire(WorkspaceRequest.writable(null));
		ToolContext.Builder context = ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace));
		assertThat(of(context.sandbox(new Claiming(BOTH)).build()).mounts()).containsExactly(new Mount(library, true),
				new Mount(link, true));
	}

	@Test
	void borrowedDirectoriesAreMountedReadOnlyWhenSandboxSupportsMounts() {
		Path store = Path.of("/store/objects");
		Workspace workspace = new Borrowing(this.root, store);
		ToolContext.Builder context = ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace));
		assertThat(of(context.sandbox(new Claiming(BOTH)).build()).mounts()).containsExactly(new Mount(store, false));
		assertThat(of(context.sandbox(new Claiming()).build()).mounts()).isEmpty();
	}

	/**
	 * A workspace that borrows a directory outside its root.
	 */
	private record Borrowing(Path root, Path store) implements Workspace {

		@Override
		public String id() {
			return "borrowing";
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.REMOTE_GIT;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

		@Override
		public List<Path> borrowedDirectories() {
			return List.of(this.store);
		}

	}

	/**
	 * A sandbox that declares capabilities and never runs a command.
	 */
	/**
	 * Otherwise no command that may not change the configuration could run there again.
	 */
	@Test
	void watchEndsIfTheCommandCannotBeStarted(@TempDir Path state) throws IOException {
		Files.createDirectory(this.root.resolve("sub"));
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
		WritePolicy policy = new WritePolicy(false, List.of(".git/config", "**/.git/config"), List.of());
		AtomicBoolean watched = new AtomicBoolean();
		WorkspaceFiles files = new ForwardingWorkspaceFiles(
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(policy)).open(workspace)) {

			@Override
			public WorkspaceResult<FileInfo> info(WorkspacePath path) {
				if (watched.get()) {
					throw new IllegalStateException("the lease is released");
				}
				return super.info(path);
			}

		};
		ToolContext context = ToolContext.builder(workspace)
			.files(files)
			.sandbox(new Claiming(SandboxCapability.PROTECTED_PATHS, SandboxCapability.TREE_KILL) {

				@Override
				public SandboxCapabilities capabilities() {
					watched.set(true);
					return super.capabilities();
				}

			})
			.build();
		context.session().changeDirectory(context.session().current(), new CurrentDirectory(files.root().child("sub")));
		RepositoryGuard guard = new RepositoryGuard(state);
		BashTool tool = new BashTool(BashOptions.defaults(), ToolNaming.CLAUDE, Map.of(), WorkspaceKind.LOCAL, guard);
		assertThatIllegalStateException().isThrownBy(() -> tool.call(Map.of("command", "true"), context));
		assertThatNoException()
			.isThrownBy(() -> guard.begin(workspace.roots(), policy.protectedAtRoots(), false).end(true));
	}

	private static class Claiming implements ExecutionSandbox {

		private final Set<SandboxCapability> claims;

		Claiming(SandboxCapability... claims) {
			this.claims = Set.of(claims);
		}

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SandboxCapabilities capabilities() {
			return SandboxCapabilities.of("claiming", this.claims, Map.of());
		}

	}

}
