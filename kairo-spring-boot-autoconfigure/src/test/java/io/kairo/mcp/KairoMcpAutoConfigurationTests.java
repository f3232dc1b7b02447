package io.kairo.mcp;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

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
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.Tool;
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
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
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

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(CONFIGURATIONS)
		.withPropertyValues("kairo.workspace.roots=.");

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
					"ApplyPatch", "List", "Info", "Glob", "Grep", "Move", "Copy", "Delete", "Undelete", "Checkpoint",
					"Changes", "Rewind", "Trial", "Bash", "BashOutput", "BashInput", "KillBash", "BashList"));
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
						"Info", "Glob", "Grep", "Move", "Copy", "Delete", "Undelete", "Checkpoint", "Changes", "Rewind",
						"Trial");
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

	@Test
	void applicationThatNoClientReachesHasNoServer() {
		new ApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(McpSyncServer.class));
		this.contextRunner.withPropertyValues("kairo.mcp.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(McpSyncServer.class));
	}

	@Test
	void implicitRootFailsStartupOfServer() {
		new WebApplicationContextRunner().withConfiguration(CONFIGURATIONS).run((context) -> {
			UnsafeServerException failure = (UnsafeServerException) NestedExceptionUtils
				.getMostSpecificCause(context.getStartupFailure());
			FailureAnalysis analysis = new UnsafeServerFailureAnalyzer().analyze(failure);
			assertThat(analysis.getDescription()).contains("Read, List", "kairo.workspace.roots is not set");
			assertThat(analysis.getAction()).contains("kairo.workspace.roots: /srv/agents");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "protocol=streamable", "protocol=stateless", "stdio=true" })
	void serverOfEveryTransportNeedsConfiguredRoot(String server) {
		SpringApplicationBuilder application = new SpringApplicationBuilder(HostileMcpClientTests.Application.class)
			.properties("server.port=0", "spring.ai.mcp.server." + server, "kairo.sandbox.type=none");
		assertThatThrownBy(application::run).hasRootCauseInstanceOf(UnsafeServerException.class);
	}

	@Test
	void serverStartsIfRootIsConfiguredOrUnused(@TempDir Path directory) {
		for (String property : List.of("kairo.workspace.roots=" + directory, "kairo.workspace.roots[0]=" + directory,
				"kairo.workspace.provider=memory", "kairo.workspace.hint=ephemeral:", "kairo.mcp.expose=")) {
			new WebApplicationContextRunner().withConfiguration(CONFIGURATIONS)
				.withPropertyValues(property)
				.run((context) -> assertThat(context).as(property).hasNotFailed());
		}
	}

	@Test
	void toolOfApplicationIsKeptUnderNameOfToolThatIsNotExposed() {
		withOwnList("kairo.mcp.expose=Read").run((context) -> assertThat(tools(context))
			.extracting(Tool::name, (tool) -> tool.description().lines().findFirst().orElseThrow().length() > 20)
			.containsExactly(tuple("Read", true), tuple("List", false)));
		withOwnList("kairo.mcp.expose=Read", "kairo.mcp.application-features=false")
			.run((context) -> assertThat(names(context)).containsExactly("Read"));
	}

	@Test
	void nameThatIsTakenByToolOfApplicationFailsStartup() {
		withOwnList("kairo.mcp.expose=Read,List").run((context) -> {
			UnsafeServerException failure = (UnsafeServerException) NestedExceptionUtils
				.getMostSpecificCause(context.getStartupFailure());
			FailureAnalysis analysis = new UnsafeServerFailureAnalyzer().analyze(failure);
			assertThat(analysis.getDescription()).contains("'List'", "Lists a directory", "Lists customers",
					"'syncTools'");
			assertThat(analysis.getAction()).contains("kairo.tools.name-prefix: kairo_", "kairo.tools.exclude");
		});
	}

	@Test
	void prefixSeparatesToolsOfOneName(CapturedOutput output) {
		withOwnList("kairo.mcp.expose=kairo_Read,kairo_List", "kairo.tools.name-prefix=kairo_").run((context) -> {
			assertThat(names(context)).containsExactly("kairo_Read", "kairo_List", "List");
			assertThat(context.getBean("kairoToolCallbackProvider", ToolCallbackProvider.class).getToolCallbacks())
				.extracting((callback) -> callback.getToolDefinition().name())
				.allMatch((name) -> name.startsWith("kairo_"));
			assertThat(output).doesNotContain("has the name of a tool of Kairo");
		});
	}

	@Test
	void serverOfSpringAiThatWouldOfferTheToolsFailsStartup() {
		WebApplicationContextRunner unguarded = withOwnList("kairo.mcp.enabled=false").withBean(McpSyncServer.class,
				() -> null, (definition) -> definition.setLazyInit(true));
		unguarded.run((context) -> assertThat(context).getFailure().hasMessageContaining("without tenants"));
		for (String property : List.of("spring.ai.mcp.server.tool-callback-converter=false",
				"spring.ai.mcp.server.enabled=false", "kairo.spring-ai.enabled=false")) {
			unguarded.withPropertyValues(property).run((context) -> assertThat(context).as(property).hasNotFailed());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "STREAMABLE", "stateless" })
	void settingsOfSpringAiAreTakenOver(String protocol) {
		this.contextRunner
			.withPropertyValues("spring.ai.mcp.server.protocol=" + protocol, "spring.ai.mcp.server.name=other",
					"spring.ai.mcp.server.version=7", "spring.ai.mcp.server.instructions=Be kind",
					"spring.ai.mcp.server.streamable-http.mcp-endpoint=/other")
			.run((context) -> {
				McpServerSettings settings = context.getBean(McpServerSettings.class);
				assertThat(settings).isEqualTo(new McpServerSettings("other", "7", "Be kind",
						McpProperties.Protocol.valueOf(protocol.toUpperCase(Locale.ROOT)), "/other"));
				assertThat(context.getBean(McpSyncServer.class).getServerInfo().name()).isEqualTo("other");
			});
	}

	@Test
	void protocolWithoutAGuardedTransportFailsStartup() {
		this.contextRunner.withPropertyValues("spring.ai.mcp.server.protocol=sse")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("spring.ai.mcp.server.protocol", "sse", "set streamable or stateless"));
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

	private WebApplicationContextRunner withOwnList(String... properties) {
		return this.contextRunner
			.withConfiguration(AutoConfigurations.of(KairoSpringAiAutoConfiguration.class,
					ClassUtils.resolveClassName(CONVERTER, null)))
			.withBean("customers", ToolCallbackProvider.class,
					() -> MethodToolCallbackProvider.builder().toolObjects(new Customers()).build())
			.withPropertyValues(properties);
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

	private static List<String> names(ApplicationContext context) {
		return tools(context).stream().map(Tool::name).toList();
	}

	private static List<Tool> tools(ApplicationContext context) {
		return context.getBean(McpSyncServer.class).listTools();
	}

}
