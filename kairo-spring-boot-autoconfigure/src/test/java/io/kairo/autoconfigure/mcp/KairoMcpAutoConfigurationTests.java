package io.kairo.autoconfigure.mcp;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.springai.KairoSpringAiAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.sandbox.remote.autoconfigure.KairoRemoteSandboxAutoConfiguration;
import io.kairo.tools.ToolCatalog;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link KairoMcpAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class KairoMcpAutoConfigurationTests {

	private static final String CONVERTER = "org.springframework.ai.mcp.server.common.autoconfigure"
			+ ".ToolCallbackConverterAutoConfiguration";

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(KairoMcpAutoConfiguration.class,
			KairoTenancyAutoConfiguration.class, KairoToolsAutoConfiguration.class,
			KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class,
			KairoRemoteSandboxAutoConfiguration.class);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS);

	@Test
	void readOnlyToolsAreOfferedByDefault() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=process")
			.run((context) -> assertThat(names(context)).containsExactly("Read", "List", "Info", "Glob", "Grep"));
	}

	@Test
	void namingChangesNamesButNotTheOfferedTools() {
		this.contextRunner.withPropertyValues("kairo.tools.naming=snake_case", "kairo.sandbox.type=process")
			.run((context) -> assertThat(names(context)).containsExactly("read_file", "list_files",
					"get_workspace_info", "find_files", "search_files"));
		this.contextRunner
			.withPropertyValues("kairo.tools.naming=snake_case", "kairo.mcp.expose=write_file,run_command",
					"kairo.sandbox.type=process")
			.run((context) -> {
				assertThat(names(context)).containsExactly("write_file", "run_command");
				assertThat(context.getBean(ToolCatalog.class).definitions().toString()).contains("use edit_file");
				assertThat(tools(context).toString()).doesNotContain("edit_file", "command_output");
			});
	}

	@Test
	void starOffersEveryTool() {
		this.contextRunner.withPropertyValues("kairo.mcp.expose=*", "kairo.sandbox.type=process")
			.run((context) -> assertThat(names(context)).containsExactly("Read", "Write", "Edit", "MultiEdit",
					"ApplyPatch", "List", "Info", "Glob", "Grep", "Move", "Copy", "Delete", "Undelete", "Bash",
					"BashOutput", "BashInput", "KillBash", "BashList"));
	}

	@Test
	void emptyListOffersNothing() {
		this.contextRunner.withPropertyValues("kairo.mcp.expose=")
			.run((context) -> assertThat(names(context)).isEmpty());
	}

	@Test
	void commandsAreOfferedBeforeAWorkerIsUpWhichThenHasToConfineThem() {
		this.contextRunner
			.withPropertyValues("kairo.mcp.expose=Bash", "kairo.sandbox.type=remote",
					"kairo.sandbox.remote.workers=http://127.0.0.1:1")
			.run((context) -> {
				assertThat(names(context)).containsExactly("Bash");
				assertThat(context.getBean(ExecutionSandbox.class).capabilities().enforced())
					.containsExactly(SandboxCapability.FILE_CONFINEMENT);
			});
		this.contextRunner
			.withPropertyValues("kairo.sandbox.type=remote", "kairo.sandbox.remote.workers=http://127.0.0.1:1")
			.run((context) -> assertThat(context.getBean(ExecutionSandbox.class).capabilities().enforced()).isEmpty());
	}

	@Test
	void starOmitsCommandsWithoutIsolation(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("kairo.mcp.expose=*", "kairo.sandbox.bubblewrap.executable=/no/bwrap",
					"kairo.sandbox.auto-order=bubblewrap,process")
			.run((context) -> {
				assertThat(names(context)).containsExactly("Read", "Write", "Edit", "MultiEdit", "ApplyPatch", "List",
						"Info", "Glob", "Grep", "Move", "Copy", "Delete", "Undelete");
				assertThat(output).contains("WARN").containsOnlyOnce("The tool Bash is not offered over MCP");
			});
	}

	@Test
	void namingBashWithoutIsolationFailsStartup() {
		this.contextRunner
			.withPropertyValues("kairo.mcp.expose=Read,Bash", "kairo.sandbox.bubblewrap.executable=/no/bwrap",
					"kairo.sandbox.auto-order=bubblewrap,process")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.mcp.expose", "Bash", "kairo.sandbox.type=process"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "none", "auto" })
	void openWorldToolWithoutCommandsNeedsNoIsolation(String sandbox, @TempDir Path directory) {
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoGitWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.mcp.expose=Push", "kairo.sandbox.type=" + sandbox,
					"kairo.sandbox.bubblewrap.executable=/no/bwrap", "kairo.sandbox.auto-order=bubblewrap,process",
					"kairo.state-dir=" + directory)
			.run((context) -> {
				assertThat(names(context)).containsExactly("Push");
				assertThat(tools(context).get(0).annotations().openWorldHint()).isTrue();
			});
	}

	@Test
	void unknownToolNameFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.mcp.expose=Red")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.mcp.expose", "Red", "Read, Write, Edit"));
	}

	@Test
	void invalidPropertyFailsStartupWithLazyBeans() {
		for (String expose : List.of("Red", "Read,Bash")) {
			this.contextRunner.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
				.withPropertyValues("kairo.mcp.expose=" + expose, "kairo.sandbox.bubblewrap.executable=/no/bwrap",
						"kairo.sandbox.auto-order=bubblewrap,process")
				.run((context) -> assertThat(context).as(expose)
					.getFailure()
					.rootCause()
					.hasMessageContaining("kairo.mcp.expose"));
		}
	}

	@Test
	void toolsCarryAnnotations() {
		this.contextRunner.withPropertyValues("kairo.mcp.expose=*", "kairo.sandbox.type=process").run((context) -> {
			Tool read = tools(context).get(0);
			assertThat(read.annotations().readOnlyHint()).isTrue();
			assertThat(read.annotations().destructiveHint()).isFalse();
			assertThat(read.annotations().idempotentHint()).isTrue();
			assertThat(read.annotations().openWorldHint()).isFalse();
			assertThat(read.inputSchema()).containsEntry("required", List.of("file_path"));
			Tool write = tools(context).get(1);
			assertThat(write.annotations().readOnlyHint()).isFalse();
			assertThat(write.annotations().openWorldHint()).isFalse();
			Tool bash = tools(context).stream().filter((tool) -> tool.name().equals("Bash")).findFirst().orElseThrow();
			assertThat(bash.annotations().readOnlyHint()).isFalse();
			assertThat(bash.annotations().destructiveHint()).isTrue();
			assertThat(bash.annotations().openWorldHint()).isTrue();
		});
	}

	/**
	 * Tests for an application with WebFlux, whose endpoints are not guarded.
	 */
	@Nested
	class WithWebFlux {

		private final ReactiveWebApplicationContextRunner contextRunner = new ReactiveWebApplicationContextRunner()
			.withConfiguration(CONFIGURATIONS)
			.withPropertyValues("kairo.sandbox.type=none", "kairo.workspace.roots=.");

		@Test
		void serverThatOffersToolsFailsStartup() {
			for (ReactiveWebApplicationContextRunner server : List.of(
					withServer(McpSyncServer.class, McpServerTransportProvider.class),
					withServer(McpSyncServer.class, McpStreamableServerTransportProvider.class),
					withServer(McpStatelessSyncServer.class, McpStatelessServerTransport.class))) {
				server.run((context) -> {
					assertThat(context).hasFailed();
					FailureAnalysis analysis = new UnguardedMcpServerFailureAnalyzer()
						.analyze(context.getStartupFailure());
					assertThat(analysis.getDescription()).contains("Read, List, Info, Glob, Grep");
					assertThat(analysis.getAction()).contains("spring-ai-starter-mcp-server-webmvc",
							"kairo.mcp.expose");
				});
			}
		}

		@Test
		void serverFailsStartupWithLazyBeans() {
			withServer(McpSyncServer.class, McpStreamableServerTransportProvider.class).withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
				.run((context) -> assertThat(context).getFailure().isInstanceOf(UnguardedMcpServerException.class));
		}

		@Test
		void serverWithoutToolsOfKairoStarts() {
			withServer(McpSyncServer.class, McpStreamableServerTransportProvider.class)
				.withPropertyValues("kairo.mcp.expose=")
				.run((context) -> assertThat(context).hasNotFailed());
			withServer(McpAsyncServer.class, McpStreamableServerTransportProvider.class)
				.run((context) -> assertThat(context).hasNotFailed());
			this.contextRunner.run((context) -> assertThat(context).hasNotFailed());
		}

		@Test
		void serverOverStdioStarts() {
			withServer(McpSyncServer.class)
				.withBean(McpServerTransportProvider.class,
						() -> new StdioServerTransportProvider(McpJsonDefaults.getMapper(),
								InputStream.nullInputStream(), OutputStream.nullOutputStream()))
				.run((context) -> assertThat(context).hasNotFailed());
		}

		private <T> ReactiveWebApplicationContextRunner withServer(Class<?> server, Class<T> transport) {
			return withServer(server).withBean(transport,
					() -> transport.cast(Proxy.newProxyInstance(transport.getClassLoader(),
							new Class<?>[] { transport }, (proxy, method, args) -> null)));
		}

		/**
		 * Returns a runner for an application with the definition of a server, which is
		 * not created.
		 */
		private ReactiveWebApplicationContextRunner withServer(Class<?> server) {
			return this.contextRunner.withBean(server, () -> {
				throw new IllegalStateException("The server is not needed");
			}, (definition) -> definition.setLazyInit(true));
		}

	}

	@Test
	void mcpBacksOffWithoutTheMcpLibrary() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.modelcontextprotocol"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoMcpToolSpecifications"));
	}

	@Test
	void mcpBacksOffWithoutSpringAi() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.ai"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoMcpToolSpecifications"));
	}

	@Test
	void implicitRootFailsStartupOfServer() {
		for (ApplicationContextRunner server : List.of(serving(McpSyncServer.class),
				serving(McpStatelessSyncServer.class))) {
			server.run((context) -> {
				ImplicitRootException failure = (ImplicitRootException) NestedExceptionUtils
					.getMostSpecificCause(context.getStartupFailure());
				FailureAnalysis analysis = new ImplicitRootFailureAnalyzer().analyze(failure);
				assertThat(analysis.getDescription()).contains("Read, List", "kairo.workspace.roots is not set");
				assertThat(analysis.getAction()).contains("kairo.workspace.roots: /srv/agents");
			});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "protocol=streamable", "protocol=stateless", "protocol=sse", "stdio=true" })
	void serverOfEveryTransportNeedsConfiguredRoot(String server) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(HostileMcpClientTests.Application.class)
			.properties("server.port=0", "spring.ai.mcp.server." + server, "kairo.sandbox.type=none");
		assertThatThrownBy(application::run).hasRootCauseInstanceOf(ImplicitRootException.class);
	}

	@Test
	void serverStartsIfRootIsConfiguredOrUnused(@TempDir Path directory) {
		for (String property : List.of("kairo.workspace.roots=" + directory, "kairo.workspace.roots[0]=" + directory,
				"kairo.workspace.provider=memory", "kairo.workspace.hint=ephemeral:", "kairo.mcp.expose=")) {
			serving(McpSyncServer.class).withPropertyValues(property)
				.run((context) -> assertThat(context).as(property).hasNotFailed());
		}
	}

	@Test
	void toolOfApplicationIsKeptUnderNameOfToolThatIsNotExposed() {
		withOwnList("kairo.mcp.expose=Read").run((context) -> {
			assertThat(names(context)).containsExactly("Read");
			assertThat(converted(context)).extracting(Tool::name, Tool::description)
				.containsExactly(tuple("List", "Lists customers"));
		});
	}

	@Test
	void nameThatIsTakenByToolOfApplicationFailsStartup() {
		withOwnList("kairo.mcp.expose=Read,List").run((context) -> {
			ToolNameCollisionException failure = (ToolNameCollisionException) NestedExceptionUtils
				.getMostSpecificCause(context.getStartupFailure());
			FailureAnalysis analysis = new ToolNameCollisionFailureAnalyzer().analyze(failure);
			assertThat(analysis.getDescription()).contains("'List'", "Lists a directory", "Lists customers",
					"'syncTools'");
			assertThat(analysis.getAction()).contains("kairo.tools.name-prefix: kairo_", "kairo.tools.exclude");
		});
	}

	@Test
	void prefixSeparatesToolsOfOneName(CapturedOutput output) {
		withOwnList("kairo.mcp.expose=kairo_Read,kairo_List", "kairo.tools.name-prefix=kairo_").run((context) -> {
			assertThat(names(context)).containsExactly("kairo_Read", "kairo_List");
			assertThat(converted(context)).extracting(Tool::name).containsExactly("List");
			assertThat(context.getBean("kairoToolCallbackProvider", ToolCallbackProvider.class).getToolCallbacks())
				.extracting((callback) -> callback.getToolDefinition().name())
				.allMatch((name) -> name.startsWith("kairo_"));
			assertThat(output).doesNotContain("has the name of a tool of Kairo");
		});
	}

	@Test
	void nameOfToolOfApplicationInPromptsIsLogged(CapturedOutput output) {
		withOwnList("kairo.mcp.expose=Read").run((context) -> assertThat(output)
			.containsOnlyOnce("The tool 'List' of the bean 'customers' has the name of a tool of Kairo"));
	}

	@Test
	void nameInProviderThatSpringAiFindsAfterThatOfKairoIsLogged(CapturedOutput output) {
		ToolCallbackProvider customers = MethodToolCallbackProvider.builder().toolObjects(new Customers()).build();
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(KairoSpringAiAutoConfiguration.class,
					ClassUtils.resolveClassName(CONVERTER, null)))
			.withInitializer((context) -> context.addBeanFactoryPostProcessor(
					(beans) -> beans.registerSingleton("late", (ToolCallbackProvider) customers::getToolCallbacks)))
			.withPropertyValues("kairo.mcp.expose=Read")
			.run((context) -> assertThat(output)
				.containsOnlyOnce("The tool 'List' of the bean 'late' has the name of a tool of Kairo")
				.contains("an MCP server offers the first"));
	}

	private ApplicationContextRunner withOwnList(String... properties) {
		return this.contextRunner
			.withConfiguration(AutoConfigurations.of(KairoSpringAiAutoConfiguration.class,
					ClassUtils.resolveClassName(CONVERTER, null)))
			.withBean("customers", ToolCallbackProvider.class,
					() -> MethodToolCallbackProvider.builder().toolObjects(new Customers()).build())
			.withPropertyValues(properties);
	}

	@SuppressWarnings("unchecked")
	private static List<Tool> converted(ApplicationContext context) {
		return ((List<SyncToolSpecification>) context.getBean("syncTools")).stream()
			.map(SyncToolSpecification::tool)
			.toList();
	}

	/**
	 * A tool of the application.
	 */
	static class Customers {

		@org.springframework.ai.tool.annotation.Tool(name = "List", description = "Lists customers")
		List<String> list() {
			return List.of();
		}

	}

	/**
	 * Returns a runner with an MCP server, which is not started.
	 */
	private <T> ApplicationContextRunner serving(Class<T> server) {
		return this.contextRunner.withBean(server, () -> null, (definition) -> definition.setLazyInit(true));
	}

	private static List<String> names(ApplicationContext context) {
		return tools(context).stream().map(Tool::name).toList();
	}

	@SuppressWarnings("unchecked")
	private static List<Tool> tools(ApplicationContext context) {
		return ((List<SyncToolSpecification>) context.getBean("kairoMcpToolSpecifications")).stream()
			.map(SyncToolSpecification::tool)
			.toList();
	}

}
