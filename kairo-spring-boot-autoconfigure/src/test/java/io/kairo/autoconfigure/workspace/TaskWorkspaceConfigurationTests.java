package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.DocumentedConfiguration;
import io.kairo.autoconfigure.health.KairoHealthAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.springai.KairoSpringAiAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.command.BashTool;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import io.kairo.workspace.task.AgentRegistry;
import io.kairo.workspace.task.AgentTree;
import io.kairo.workspace.task.FileAgentRegistry;
import io.kairo.workspace.task.InMemoryAgentRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.execution.ToolExecutionException;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TaskWorkspaceConfiguration}.
 */
class TaskWorkspaceConfigurationTests {

	@TempDir
	Path temp;

	private Path data;

	private ApplicationContextRunner runner;

	@BeforeEach
	void createRunner() throws IOException {
		this.data = Files.createDirectory(this.temp.resolve("data"));
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.temp.resolve("state"));
	}

	private ApplicationContextRunner withTasks() {
		return this.runner.withPropertyValues("kairo.workspace.provider=task",
				"kairo.workspace.task.data-dir=" + this.data);
	}

	private static TenantContext agent(String id) {
		return new TenantContext("default", "anonymous", Map.of(TenantContext.ATTR_AGENT_ID, id));
	}

	@Nested
	class Beans {

		@Test
		void providerIsCreatedWithDataDirectory() {
			withTasks().run((context) -> {
				assertThat(context).hasSingleBean(AgentTree.class)
					.getBean(AgentRegistry.class)
					.isInstanceOf(FileAgentRegistry.class);
				AgentTree tree = context.getBean(AgentTree.class);
				tree.register("agent-001", "root");
				tree.register("agent-002", "agent-001");
				Workspace workspace = context.getBean(WorkspaceProvider.class)
					.acquire(new WorkspaceRequest(null, agent("agent-002"), true));
				assertThat(workspace.kind()).isEqualTo(WorkspaceKind.TASK);
				assertThat(TaskWorkspaceConfigurationTests.this.data).isEmptyDirectory();
				WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class).open(workspace);
				assertThat(files.tryWriteFile("a/b", "x").isOk()).isTrue();
				assertThat(TaskWorkspaceConfigurationTests.this.data.resolve("workspaces/agent-001/a/b"))
					.hasContent("x");
				assertThatExceptionOfType(WorkspacePathException.class)
					.isThrownBy(() -> files.resolve("/etc/passwd", files.root()));
			});
		}

		@Test
		void agentsAreRememberedAcrossRestarts() {
			withTasks().run((context) -> context.getBean(AgentTree.class).register("a", "root"));
			withTasks()
				.run((context) -> assertThat(context.getBean(AgentTree.class).workspaceOf(TenantContext.SINGLE, "a"))
					.isEqualTo("a"));
		}

		@Test
		void providerIsNotCreatedWithoutDataDirectory() {
			TaskWorkspaceConfigurationTests.this.runner
				.run((context) -> assertThat(context).doesNotHaveBean(AgentTree.class)
					.doesNotHaveBean(AgentRegistry.class)
					.doesNotHaveBean("kairoTaskWorkspaces"));
		}

		@Test
		void providerBacksOffWithoutItsClasses() {
			withTasks().withClassLoader(new FilteredClassLoader(LocalDirectoryWorkspaceProvider.class))
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AgentTree.class));
		}

		@Test
		void taskHintsWorkWithAnotherDefaultProvider() {
			TaskWorkspaceConfigurationTests.this.runner
				.withPropertyValues("kairo.workspace.task.data-dir=" + TaskWorkspaceConfigurationTests.this.data,
						"kairo.workspace.path-policy=host")
				.run((context) -> {
					context.getBean(AgentTree.class).register("a", "root");
					Workspace workspace = context.getBean(WorkspaceProvider.class)
						.acquire(WorkspaceRequest.writable("task:a"));
					WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class).open(workspace);
					assertThatExceptionOfType(WorkspacePathException.class)
						.isThrownBy(() -> files.resolve("/etc/passwd", files.root()));
					assertThat(context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null)).kind())
						.isEqualTo(WorkspaceKind.LOCAL);
				});
		}

		@Test
		void registryOfTheApplicationReplacesTheDefault() {
			InMemoryAgentRegistry own = new InMemoryAgentRegistry();
			withTasks().withBean(AgentRegistry.class, () -> own).run((context) -> {
				context.getBean(AgentTree.class).register("a", "root");
				assertThat(own.find("default", "a")).isNotNull();
				assertThat(TaskWorkspaceConfigurationTests.this.temp.resolve("state/agents")).doesNotExist();
			});
		}

		@Test
		void treeOfTheApplicationReplacesTheDefault() {
			AgentTree own = new AgentTree(new InMemoryAgentRegistry());
			own.register("a", "root");
			withTasks().withBean(AgentTree.class, () -> own)
				.run((context) -> assertThat(context.getBean(WorkspaceProvider.class)
					.acquire(new WorkspaceRequest(null, agent("a"), true))
					.id()).isEqualTo("task:a"));
		}

		@Test
		void registrationOfSameNameReplacesTheDefault() {
			InMemoryWorkspaceProvider own = new InMemoryWorkspaceProvider();
			withTasks()
				.withBean("kairoTaskWorkspaces", WorkspaceProviderRegistration.class,
						() -> new WorkspaceProviderRegistration("task", own, own))
				.run((context) -> assertThat(
						context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null)).onDisk())
					.isFalse());
		}

		@Test
		void taskWorkspacesAreReadOnlyIfConfigured() {
			withTasks().withPropertyValues("kairo.workspace.read-only=true").run((context) -> {
				context.getBean(AgentTree.class).register("a", "root");
				assertThat(context.getBean(WorkspaceProvider.class)
					.acquire(new WorkspaceRequest(null, agent("a"), true))
					.writable()).isFalse();
			});
		}

		@Test
		void tenantsHaveTheirOwnDirectories() {
			TaskWorkspaceConfigurationTests.this.runner
				.withPropertyValues("kairo.workspace.provider=task",
						"kairo.workspace.task.data-dir=" + TaskWorkspaceConfigurationTests.this.data + "/{tenant}")
				.run((context) -> {
					TenantContext acme = new TenantContext("acme", "ann", Map.of("agent.id", "a"));
					context.getBean(AgentTree.class).register(acme, "a", "root");
					assertThat(context.getBean(WorkspaceProvider.class)
						.acquire(new WorkspaceRequest(null, acme, true))
						.root()).isEqualTo(TaskWorkspaceConfigurationTests.this.data.resolve("acme/workspaces/a"));
				});
		}

		@Test
		void otherTenantsAreRejectedWithoutTenantSegment() {
			withTasks().run((context) -> {
				TenantContext acme = new TenantContext("acme", "ann", Map.of("agent.id", "a"));
				context.getBean(AgentTree.class).register(acme, "a", "root");
				assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(
						() -> context.getBean(WorkspaceProvider.class).acquire(new WorkspaceRequest(null, acme, true)))
					.withMessageContaining("{tenant}");
			});
		}

	}

	@Nested
	class InvalidValues {

		@Test
		void providerTaskWithoutDataDirectoryFailsStartup() {
			assertFails("kairo.workspace.task.data-dir", "kairo.workspace.provider=task");
		}

		@ParameterizedTest
		@ValueSource(strings = { "roots", "host", "logical" })
		void otherPathPolicyFailsStartup(String policy) {
			assertFails("relative-only", "kairo.workspace.provider=task",
					"kairo.workspace.task.data-dir=" + TaskWorkspaceConfigurationTests.this.data,
					"kairo.workspace.path-policy=" + policy);
		}

		@Test
		void relativeOnlyPathPolicyIsAccepted() {
			withTasks().withPropertyValues("kairo.workspace.path-policy=relative-only")
				.run((context) -> assertThat(context).hasNotFailed());
		}

		@Test
		void missingDataDirectoryFailsStartup() {
			assertFails("there is no such directory",
					"kairo.workspace.task.data-dir=" + TaskWorkspaceConfigurationTests.this.temp.resolve("missing"));
		}

		@Test
		void dataDirectoryThatIsAFileFailsStartup() throws IOException {
			Path file = Files.writeString(TaskWorkspaceConfigurationTests.this.temp.resolve("file"), "x");
			assertFails("is not a directory", "kairo.workspace.task.data-dir=" + file);
		}

		@ParameterizedTest
		@ValueSource(strings = { " ", "/srv/{user}", "/srv/{tenant}/{tenant}" })
		void invalidDataDirectoryFailsStartup(String directory) {
			assertFails("kairo.workspace.task.data-dir", "kairo.workspace.task.data-dir=" + directory);
		}

		private void assertFails(String reason, String... properties) {
			TaskWorkspaceConfigurationTests.this.runner.withPropertyValues(properties)
				.run((context) -> assertThat(context).hasFailed()
					.getFailure()
					.rootCause()
					.satisfies((failure) -> assertThat(failure.toString()).containsAnyOf(reason)));
		}

	}

	@Nested
	class DataDirectoryHealth {

		private ApplicationContextRunner withHealth() {
			return withTasks().withConfiguration(AutoConfigurations.of(KairoHealthAutoConfiguration.class));
		}

		@Test
		void healthIsUpWithoutAgents() {
			withHealth().run((context) -> {
				Health health = health(context);
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails()).containsKeys("writable", "freeBytes")
					.containsEntry("dataDir", TaskWorkspaceConfigurationTests.this.data.toString());
			});
		}

		@Test
		void healthIsDownWhenDataDirectoryIsMissing() {
			withHealth().run((context) -> {
				Files.delete(TaskWorkspaceConfigurationTests.this.data);
				assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			});
		}

		private static Health health(ApplicationContext context) {
			return context.getBean("kairoWorkspaceHealthIndicator", HealthIndicator.class).health();
		}

	}

	@Nested
	class Documented {

		@Test
		void documentedExampleOffersTheFourTools() {
			TaskWorkspaceConfigurationTests.this.runner
				.withConfiguration(
						AutoConfigurations.of(KairoTenancyAutoConfiguration.class, KairoSandboxAutoConfiguration.class,
								KairoToolsAutoConfiguration.class, KairoSpringAiAutoConfiguration.class))
				.withPropertyValues(DocumentedConfiguration.of("workspaces-task.md", "Configuration")
					.with("/srv/agents", TaskWorkspaceConfigurationTests.this.data)
					.properties())
				.run((context) -> {
					AgentTree tree = context.getBean(AgentTree.class);
					tree.register("task-1", "root");
					tree.register("agent-1", "task-1");
					tree.register("task-2", "root");
					assertThat(context.getBean(BashTool.class).definition().description())
						.contains("paths of the other tools start at the workspace");
					assertThat(call(context, "agent-1", "write_file", """
							{"path": "notes/a.md", "content": "héllo"}""")).contains("\"ok\":true");
					assertThat(call(context, "task-1", "read_file", """
							{"path": "notes/a.md"}""")).contains("\"content\":\"héllo\"");
					assertThat(call(context, "task-1", "list_files", "{}")).contains("notes");
					assertThat(call(context, "task-2", "get_workspace_info", "{}")).contains("\"fileCount\":0");
					assertThatExceptionOfType(ToolExecutionException.class)
						.isThrownBy(() -> call(context, "nobody", "list_files", "{}"))
						.withMessageContaining("workspace_not_assigned");
					assertThat(TaskWorkspaceConfigurationTests.this.data.resolve("workspaces"))
						.isDirectoryContaining((path) -> path.endsWith("task-1"))
						.isDirectoryNotContaining((path) -> path.endsWith("task-2"));
				});
		}

		private static String call(ApplicationContext context, String agent, String tool, String arguments) {
			ToolCallback callback = Map.of(tool, context.getBean(ToolCallbackProvider.class))
				.values()
				.stream()
				.flatMap((provider) -> java.util.Arrays.stream(provider.getToolCallbacks()))
				.filter((candidate) -> candidate.getToolDefinition().name().equals(tool))
				.findFirst()
				.orElseThrow();
			try (TenantContextHolder.Scope scope = context.getBean(TenantContextHolder.class).bind(agent(agent))) {
				return callback.call(arguments);
			}
		}

	}

}
