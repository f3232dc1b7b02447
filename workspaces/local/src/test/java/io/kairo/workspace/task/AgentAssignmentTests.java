package io.kairo.workspace.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for workspaces that are assigned to agents, over both registries.
 */
class AgentAssignmentTests {

	private static final TenantContext SINGLE = TenantContext.SINGLE;

	@TempDir
	Path temp;

	private AgentRegistry registry(boolean inFiles) {
		return inFiles ? new FileAgentRegistry(this.temp.resolve("state/agents")) : new InMemoryAgentRegistry();
	}

	private Path data() throws IOException {
		return Files.createDirectories(this.temp.toRealPath().resolve("data"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void nearestOfSeveralWorkspacesIsUsed(boolean inFiles) throws IOException {
		AgentTree tree = new AgentTree(registry(inFiles));
		tree.register("a", "root");
		tree.register("b", "a");
		tree.register("c", "b");
		tree.register("d", "c");
		assertThat(tree.workspaceOf(SINGLE, "d")).isEqualTo("a");
		tree.assignWorkspace("b", data().resolve("projects/b"));
		assertThat(tree.workspaceOf(SINGLE, "d")).isEqualTo("b");
		tree.assignWorkspace("d", data().resolve("projects/d"));
		assertThat(tree.workspaceOf(SINGLE, "d")).isEqualTo("d");
		assertThat(tree.workspaceOf(SINGLE, "c")).isEqualTo("b");
		assertThat(tree.workspaceOf(SINGLE, "a")).isEqualTo("a");
		assertThat(tree.remove(SINGLE, "b")).isTrue();
		assertThat(tree.workspace(SINGLE, "b")).isNull();
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> tree.workspaceOf(SINGLE, "c"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anyAgentMayOwnWorkspaceWithoutBeingRegistered(boolean inFiles) throws IOException {
		AgentTree tree = new AgentTree(registry(inFiles));
		tree.register("child", "guest");
		tree.register("helper", "user");
		tree.assignWorkspace("guest", data().resolve("g"));
		tree.assignWorkspace("helper", data().resolve("h"));
		assertThat(tree.workspaceOf(SINGLE, "child")).isEqualTo("guest");
		assertThat(tree.workspaceOf(SINGLE, "helper")).isEqualTo("helper");
		assertThat(tree.workspace(new TenantContext("acme", "x"), "guest")).isNull();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void recordHasTimeOfAssignmentAndSaysWhetherDirectoryExists(boolean inFiles) throws IOException {
		Instant before = Instant.now().minusSeconds(60);
		AgentTree tree = new AgentTree(registry(inFiles));
		TaskWorkspaceProvider provider = new TaskWorkspaceProvider(tree, data());
		tree.register("a", "root");
		tree.register("b", "a");
		Path assigned = data().resolve("projects/b");
		tree.assignWorkspace("b", assigned);
		for (Map.Entry<String, Path> own : Map.of("a", data().resolve("workspaces/a"), "b", assigned).entrySet()) {
			TaskWorkspaceRecord record = provider.find(SINGLE, own.getKey());
			assertThat(record).isNotNull();
			assertThat(record.workspacePath()).isEqualTo(own.getValue());
			assertThat(record.createdAt()).isBetween(before, Instant.now().plusSeconds(60));
			assertThat(record.lazyCreated()).isFalse();
			assertThat(own.getValue()).doesNotExist();
			Workspace workspace = provider.acquire(WorkspaceRequest.writable(own.getKey()));
			assertThat(workspace.root()).isEqualTo(own.getValue());
			WorkspaceFiles files = provider.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS))
				.open(workspace);
			assertThat(files.tryWriteFile("x.txt", "x").isOk()).isTrue();
			assertThat(own.getValue().resolve("x.txt")).hasContent("x");
			assertThat(provider.find(SINGLE, own.getKey()).lazyCreated()).isTrue();
			assertThat(provider.find(SINGLE, own.getKey()).createdAt()).isEqualTo(record.createdAt());
		}
		assertThat(provider.find(SINGLE, "c")).isNull();
		assertThat(provider.find(SINGLE, "root")).isNull();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anotherDirectoryIsRefused(boolean inFiles) throws IOException {
		AgentTree tree = new AgentTree(registry(inFiles));
		Path first = data().resolve("first");
		TaskWorkspaceRecord assigned = tree.assignWorkspace("a", first);
		assertThat(tree.assignWorkspace("a", first)).isEqualTo(assigned);
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> tree.assignWorkspace("a", data().resolve("second")))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.CONFLICT));
		assertThat(tree.remove(SINGLE, "a")).isTrue();
		assertThat(tree.remove(SINGLE, "a")).isFalse();
		tree.assignWorkspace("a", data().resolve("second"));
		assertThat(tree.workspace(SINGLE, "a").workspacePath()).isEqualTo(data().resolve("second"));
	}

	@Test
	void invalidIdsAndDirectoriesAreRefused() throws IOException {
		AgentTree tree = new AgentTree(new InMemoryAgentRegistry());
		Path data = data();
		for (String id : new String[] { "root", "user", "../a", "" }) {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> tree.assignWorkspace(id, data.resolve("x")));
		}
		for (Path path : new Path[] { Path.of("x"), data.resolve("../x"), data.resolve("a\nb") }) {
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> tree.assignWorkspace("a", path));
		}
		tree.assignWorkspace("outside", this.temp.toRealPath().resolve("elsewhere"));
		tree.assignWorkspace("all", data);
		tree.assignWorkspace("foreign", data.resolve("tenants/x"));
		TaskWorkspaceProvider provider = new TaskWorkspaceProvider(tree, data);
		for (String id : new String[] { "outside", "all", "foreign" }) {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> provider.acquire(WorkspaceRequest.writable(id)))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.INVALID_PATH))
				.withMessageNotContaining(this.temp.toString());
		}
	}

	@Test
	void directoryThatTheProviderRefusesCannotBeAssigned() throws IOException {
		AgentTree tree = new AgentTree(new InMemoryAgentRegistry());
		Path data = data();
		TaskWorkspaceProvider provider = new TaskWorkspaceProvider(tree, data);
		Files.writeString(data.resolve("file"), "x");
		Files.createSymbolicLink(data.resolve("link"), Files.createDirectory(data.resolve("target")));
		Path elsewhere = this.temp.toRealPath().resolve("elsewhere");
		for (Path path : List.of(elsewhere, data, data.resolve("tenants/x"), data.resolve("file"),
				data.resolve("file/x"), data.resolve("link"), data.resolve("link/x"))) {
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> tree.assignWorkspace("a", path))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.INVALID_PATH))
				.withMessageContaining("'" + path + "' cannot be assigned to the agent 'a'")
				.withMessageContaining("give a directory");
			assertThat(tree.workspace(SINGLE, "a")).isNull();
		}
		TaskWorkspaceProvider other = new TaskWorkspaceProvider(tree, elsewhere);
		tree.assignWorkspace("a", elsewhere.resolve("a"));
		tree.assignWorkspace("b", data.resolve("target/b"));
		assertThat(other.acquire(WorkspaceRequest.writable("a")).root()).isEqualTo(elsewhere.resolve("a"));
		assertThat(provider.acquire(WorkspaceRequest.writable("b")).root()).isEqualTo(data.resolve("target/b"));
	}

	@Test
	void tenantWithoutDataDirectoryCannotBeAssignedOne() throws IOException {
		AgentTree tree = new AgentTree(new InMemoryAgentRegistry());
		Path data = data();
		TaskWorkspaceProvider provider = new TaskWorkspaceProvider(tree, RootTemplate.parse(data.toString()),
				"default");
		TenantContext acme = new TenantContext("acme", "ann");
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> tree.assignWorkspace(acme, "a", data.resolve("a")))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED))
			.withMessageContaining("{tenant}");
		tree.assignWorkspace("a", data.resolve("a"));
		assertThat(provider.acquire(WorkspaceRequest.writable("a")).root()).isEqualTo(data.resolve("a"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void assignmentAppliesToTheNextAcquireWhileThePreviousWorkspaceIsInUse(boolean inFiles) throws IOException {
		AgentTree tree = new AgentTree(registry(inFiles));
		TaskWorkspaceProvider tasks = new TaskWorkspaceProvider(tree, data());
		WorkspaceProviderRegistration registration = new WorkspaceProviderRegistration("task", tasks,
				tasks.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)));
		tree.register("a", "root");
		tree.register("b", "a");
		WorkspaceRequest request = WorkspaceRequest.writable("task:b");
		try (RoutingWorkspaceProvider provider = new RoutingWorkspaceProvider("task", List.of(registration),
				List.of())) {
			Workspace first = provider.acquire(request);
			tree.assignWorkspace("a", data().resolve("p"));
			Workspace second = provider.acquire(request);
			assertThat(second.root()).isEqualTo(data().resolve("p"));
			assertThat(second.id()).isEqualTo("task:a##2");
			assertThat(provider.acquire(request)).isSameAs(second);
			assertThat(provider.files().open(first).tryWriteFile("x", "1").isOk()).isTrue();
			assertThat(provider.files().open(second).tryWriteFile("x", "2").isOk()).isTrue();
			assertThat(data().resolve("workspaces/a/x")).hasContent("1");
			assertThat(data().resolve("p/x")).hasContent("2");
			provider.release(first.id());
			assertThat(provider.acquire(request)).isSameAs(second);
			assertThat(provider.files().open(second).tryReadFile("x").isOk()).isTrue();
			for (int holders = 3; holders > 0; holders--) {
				provider.release(second.id());
			}
			assertThat(provider.acquire(request).id()).isEqualTo("task:a");
			tree.remove(SINGLE, "a");
			tree.assignWorkspace("a", data().resolve("q"));
			tree.register("a", "user");
			assertThat(provider.acquire(request).root()).isEqualTo(data().resolve("q"));
		}
	}

	@Test
	void assignmentOfAnotherTreeIsSeenAndSurvivesRestart() throws IOException {
		AgentTree tree = new AgentTree(registry(true));
		TaskWorkspaceRecord assigned = tree.assignWorkspace("a", data().resolve("a b/\u65e5"));
		assertThat(new AgentTree(registry(true)).workspace(SINGLE, "a")).isEqualTo(assigned);
		assertThat(registry(true).removals()).isNotZero();
	}

}
