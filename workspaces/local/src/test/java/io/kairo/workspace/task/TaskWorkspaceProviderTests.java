package io.kairo.workspace.task;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
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
 * Tests for {@link TaskWorkspaceProvider}.
 */
class TaskWorkspaceProviderTests {

	@TempDir
	Path temp;

	private final AgentTree tree = new AgentTree(new InMemoryAgentRegistry());

	private TaskWorkspaceProvider provider;

	private Path data;

	@BeforeEach
	void registerAgents() {
		this.data = this.temp.resolve("data");
		this.provider = new TaskWorkspaceProvider(this.tree, this.data);
		this.tree.register("agent-001", "root");
		this.tree.register("agent-002", "agent-001");
		this.tree.register("agent-003", "agent-002");
		this.tree.register("agent-004", "root");
	}

	private Workspace acquire(String agent) {
		return this.provider.acquire(WorkspaceRequest.writable("task:" + agent));
	}

	private WorkspaceFiles files(Workspace workspace) {
		return files(this.provider, workspace);
	}

	private WorkspaceFiles files(TaskWorkspaceProvider provider, Workspace workspace) {
		return provider
			.files(new LocalWorkspaceFilesFactory(
					LocalFilesOptions.DEFAULTS.withStateDirectory(this.temp.resolve("state"))))
			.open(workspace);
	}

	private static WorkspaceResult<?> write(WorkspaceFiles files, String path, String content) {
		WorkspacePath resolved = files.resolve(path, files.root());
		return files.apply(new WorkspaceChange.Write(resolved, content.getBytes(StandardCharsets.UTF_8), null));
	}

	private static void link(Path link, Path target) throws IOException {
		Files.createDirectories(link.getParent());
		try {
			Files.createSymbolicLink(link, target);
		}
		catch (FileSystemException | UnsupportedOperationException ex) {
			Assumptions.abort("no symbolic links here: " + ex);
		}
	}

	@Test
	void agentUsesTheWorkspaceOfItsNearestAssignedAncestor() {
		Workspace workspace = acquire("agent-003");
		assertThat(workspace.id()).isEqualTo("task:agent-001");
		assertThat(workspace.kind()).isEqualTo(WorkspaceKind.TASK);
		assertThat(workspace.root()).isEqualTo(this.data.resolve("workspaces/agent-001"));
		assertThat(acquire("agent-001")).isSameAs(workspace);
		assertThat(acquire("agent-004").root()).isEqualTo(this.data.resolve("workspaces/agent-004"));
	}

	@Test
	void agentOfTheContextIsUsedWithoutAHint() {
		TenantContext tenant = new TenantContext("default", "ann", Map.of(TenantContext.ATTR_AGENT_ID, "agent-003"));
		assertThat(this.provider.acquire(new WorkspaceRequest(null, tenant, true)).id()).isEqualTo("task:agent-001");
		assertThat(this.provider.acquire(new WorkspaceRequest("task:", tenant, true)).id()).isEqualTo("task:agent-001");
		assertThat(this.provider.acquire(new WorkspaceRequest("agent-004", tenant, true)).id())
			.isEqualTo("task:agent-004");
	}

	@Test
	void acquireWithoutAgentIsRefused() {
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> this.provider.acquire(WorkspaceRequest.writable(null)))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED))
			.withMessageContaining("agent.id");
	}

	@Test
	void releaseEvicts() {
		Workspace workspace = acquire("agent-001");
		this.provider.release(workspace.id());
		assertThat(acquire("agent-001")).isNotSameAs(workspace).isEqualTo(workspace);
	}

	@Test
	void readOnlyProviderReturnsReadOnlyWorkspacesOnly() {
		Workspace workspace = this.provider.readOnly().acquire(WorkspaceRequest.writable("agent-001"));
		assertThat(workspace.writable()).isFalse();
		assertThat(workspace.id()).isEqualTo("task:agent-001#ro");
		assertThat(write(files(workspace), "a", "x").isOk()).isFalse();
		assertThat(this.data).doesNotExist();
	}

	@Nested
	class BeforeTheFirstWrite {

		@Test
		void noDirectoryIsCreatedBeforeTheFirstWrite() {
			WorkspaceFiles files = files(acquire("agent-001"));
			assertThat(files.list(files.root(), 3).value().entries()).isEmpty();
			assertThat(files.walk(files.root(), new NothingToSee()).value().directories()).isLessThanOrEqualTo(1);
			assertThat(files.read(files.resolve("a.txt", files.root()), 0, 10)).isInstanceOfSatisfying(
					WorkspaceResult.Failure.class,
					(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.FILE_NOT_FOUND));
			assertThat(files.info(files.root()).isOk()).isFalse();
			assertThat(files
				.apply(new WorkspaceChange.Delete(files.resolve("a", files.root()), WorkspaceChange.Depth.SINGLE, null))
				.isOk()).isFalse();
			assertThat(TaskWorkspaceProviderTests.this.data).doesNotExist();
		}

		@Test
		void firstWriteCreatesTheDirectoryAndItsParents() {
			WorkspaceFiles files = files(acquire("agent-002"));
			assertThat(write(files, "a/b/c.txt", "x").isOk()).isTrue();
			assertThat(TaskWorkspaceProviderTests.this.data.resolve("workspaces/agent-001/a/b/c.txt")).hasContent("x");
			assertThat(TaskWorkspaceProviderTests.this.data.resolve("workspaces"))
				.isDirectoryNotContaining((entry) -> !entry.endsWith("agent-001"));
		}

		@Test
		void directoryCanBeCreatedForACommand() {
			WorkspaceFiles files = files(acquire("agent-001"));
			assertThat(files.apply(new WorkspaceChange.CreateDirectory(files.root())).isOk()).isTrue();
			assertThat(TaskWorkspaceProviderTests.this.data.resolve("workspaces/agent-001")).isEmptyDirectory();
			assertThat(files.apply(new WorkspaceChange.CreateDirectory(files.root())).value().lines().get(0).applied())
				.isFalse();
		}

	}

	@Nested
	class Links {

		@ParameterizedTest
		@ValueSource(strings = { "workspaces", "workspaces/agent-001" })
		void linksPlantedBelowTheDataDirectoryAreNotFollowed(String place) throws IOException {
			Path outside = Files.createDirectories(TaskWorkspaceProviderTests.this.temp.resolve("outside"));
			Files.createDirectory(outside.resolve("agent-001"));
			Files.writeString(outside.resolve("agent-001/secret"), "secret");
			Files.writeString(outside.resolve("secret"), "secret");
			link(TaskWorkspaceProviderTests.this.data.resolve(place), outside);
			assertRefused();
			assertThat(outside.resolve("planted")).doesNotExist();
			assertThat(outside.resolve("agent-001/planted")).doesNotExist();
		}

		@Test
		void linksToAnotherWorkspaceAreNotFollowed() throws IOException {
			write(files(acquire("agent-004")), "secret", "secret");
			link(TaskWorkspaceProviderTests.this.data.resolve("workspaces/agent-001"), Path.of("agent-004"));
			assertRefused();
			assertThat(TaskWorkspaceProviderTests.this.data.resolve("workspaces/agent-004/planted")).doesNotExist();
		}

		@Test
		void danglingLinksAreNotFollowed() throws IOException {
			link(TaskWorkspaceProviderTests.this.data.resolve("workspaces/agent-001"),
					TaskWorkspaceProviderTests.this.temp.resolve("later"));
			assertRefused();
			assertThat(TaskWorkspaceProviderTests.this.temp.resolve("later")).doesNotExist();
		}

		@Test
		void linksInThePathOfTheDataDirectoryAreTrusted() throws IOException {
			Path real = Files.createDirectory(TaskWorkspaceProviderTests.this.temp.resolve("real"));
			Path alias = TaskWorkspaceProviderTests.this.temp.resolve("alias");
			link(alias, real);
			TaskWorkspaceProvider aliased = new TaskWorkspaceProvider(TaskWorkspaceProviderTests.this.tree, alias);
			WorkspaceFiles files = files(aliased, aliased.acquire(WorkspaceRequest.writable("agent-001")));
			assertThat(write(files, "a", "x").isOk()).isTrue();
			assertThat(real.resolve("workspaces/agent-001/a")).hasContent("x");
			assertThat(files.read(files.resolve("a", files.root()), 0, 5).map(FileContent::bytes).value()).asString()
				.isEqualTo("x");
		}

		@Test
		void linksInTheWorkspaceCannotLeaveIt() throws IOException {
			write(files(acquire("agent-004")), "secret", "secret");
			WorkspaceFiles files = files(acquire("agent-001"));
			write(files, "here", "here");
			Path root = TaskWorkspaceProviderTests.this.data.resolve("workspaces/agent-001");
			link(root.resolve("out"), Path.of("../agent-004/secret"));
			link(root.resolve("in"), Path.of("here"));
			assertThat(code(files.read(files.resolve("out", files.root()), 0, 10)))
				.isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertThat(files.read(files.resolve("in", files.root()), 0, 10).isOk()).isTrue();
		}

		private void assertRefused() {
			WorkspaceFiles files = files(acquire("agent-001"));
			assertThat(code(files.read(files.resolve("secret", files.root()), 0, 10)))
				.isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertThat(code(files.list(files.root(), 1))).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertThat(code(write(files, "planted", "x"))).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertThat(code(files.apply(new WorkspaceChange.CreateDirectory(files.root()))))
				.isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		private static WorkspaceErrorCode code(WorkspaceResult<?> result) {
			return ((WorkspaceResult.Failure<?>) result).code();
		}

	}

	@Nested
	class Tenants {

		private final TenantContext acme = new TenantContext("acme", "ann");

		@BeforeEach
		void registerAgent() {
			TaskWorkspaceProviderTests.this.tree.register(this.acme, "agent-001", "root");
		}

		@Test
		void tenantsNeverShareAWorkspace() {
			Workspace workspace = TaskWorkspaceProviderTests.this.provider
				.acquire(new WorkspaceRequest("agent-001", this.acme, true));
			assertThat(workspace.id()).isEqualTo("task:agent-001#acme");
			assertThat(workspace.root()).isNotEqualTo(acquire("agent-001").root());
			write(files(workspace), "a", "acme");
			assertThat(files(acquire("agent-001")).tryReadFile("a").isOk()).isFalse();
		}

		@Test
		void agentsOfOtherTenantsAreUnknown() {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> TaskWorkspaceProviderTests.this.provider
					.acquire(new WorkspaceRequest("agent-004", this.acme, true)))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED));
		}

		@Test
		void otherTenantsAreRefusedWithoutATenantSegment() {
			TaskWorkspaceProvider undivided = provider(TaskWorkspaceProviderTests.this.temp.toString());
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> undivided.acquire(new WorkspaceRequest("agent-001", this.acme, true)))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED))
				.withMessageContaining("{tenant}")
				.satisfies((ex) -> assertThat(ex.getMessage())
					.doesNotContain(TaskWorkspaceProviderTests.this.temp.toString()));
			assertThat(undivided.acquire(WorkspaceRequest.writable("agent-001")).root())
				.isEqualTo(TaskWorkspaceProviderTests.this.temp.resolve("workspaces/agent-001"));
		}

		@Test
		void tenantsHaveSeparateDirectoriesByATemplate() throws IOException {
			Path base = Files.createDirectory(TaskWorkspaceProviderTests.this.temp.resolve("base"));
			TaskWorkspaceProvider divided = provider(base + "/{tenant}/tasks");
			Workspace workspace = divided.acquire(new WorkspaceRequest("agent-001", this.acme, true));
			assertThat(workspace.root()).isEqualTo(base.resolve("acme/tasks/workspaces/agent-001"));
			assertThat(base).as("acquired").isEmptyDirectory();
			assertThat(files(divided, workspace).listDirectory("").value().entries()).isEmpty();
			assertThat(base).as("read").isEmptyDirectory();
			assertThat(write(files(divided, workspace), "a", "x").isOk()).isTrue();
			for (String made : List.of("acme", "acme/tasks")) {
				assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(base.resolve(made))))
					.isEqualTo("rwx------");
			}
			assertThat(base.resolve("acme/tasks/workspaces/agent-001/a")).hasContent("x");
		}

		@Test
		void linkAsDirectoryOfATenantIsRefused() throws IOException {
			Path base = Files.createDirectory(TaskWorkspaceProviderTests.this.temp.resolve("base"));
			Files.createDirectory(base.resolve("globex"));
			Files.createSymbolicLink(base.resolve("acme"), Path.of("globex"));
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(
					() -> provider(base + "/{tenant}").acquire(new WorkspaceRequest("agent-001", this.acme, true)));
			assertThat(base.resolve("globex")).isEmptyDirectory();
		}

		private TaskWorkspaceProvider provider(String template) {
			return new TaskWorkspaceProvider(TaskWorkspaceProviderTests.this.tree, RootTemplate.parse(template),
					"default");
		}

	}

	@Test
	void filesOfAnotherProviderAreRefused() {
		Workspace other = new LocalDirectoryWorkspaceProvider(this.temp).acquire(WorkspaceRequest.writable(null));
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> files(other))
			.withMessageContaining("its own provider");
	}

	private static final class NothingToSee implements WorkspaceVisitor {

		@Override
		public Next directory(WorkspacePath directory) {
			return Next.CONTINUE;
		}

		@Override
		public Next file(Entry file) {
			throw new AssertionError(file.path());
		}

	}

}
