package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KairoToolsAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class KairoToolsAutoConfigurationTests {

	private static final String[] FILE_TOOLS = { "Read", "Write", "Edit", "MultiEdit", "ApplyPatch", "List", "Info",
			"Glob", "Grep", "Move", "Copy", "Delete", "Undelete", "Checkpoint", "Changes", "Rewind", "Trial" };

	private static final String[] ALL = { "Read", "Write", "Edit", "MultiEdit", "ApplyPatch", "List", "Info", "Glob",
			"Grep", "Move", "Copy", "Delete", "Undelete", "Checkpoint", "Changes", "Rewind", "Trial", "Bash",
			"BashOutput", "BashInput", "KillBash", "BashList" };

	@TempDir
	Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class,
				KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class));

	@Test
	void toolsOfCatalogWorkInConfiguredWorkspace() throws Exception {
		Files.writeString(this.directory.resolve("note.txt"), "remember\n");
		this.contextRunner.withPropertyValues("kairo.workspace.roots=" + this.directory).run((context) -> {
			assertThat(names(context)).containsExactly(ALL);
			assertThat(call(context, "Read", Map.of("file_path", "note.txt")).text()).contains("remember");
			assertThat(call(context, "Bash", Map.of("command", "cat note.txt")).text()).isEqualTo("remember");
		});
	}

	@Test
	void commandsRunInTheSandboxBeanOfTheContext() {
		this.contextRunner.withBean(ExecutionSandbox.class, () -> (request) -> {
			throw new SandboxException(SandboxErrorCode.START_FAILED, "Own sandbox got " + request.command(), "none");
		})
			.withPropertyValues("kairo.workspace.roots=" + this.directory)
			.run((context) -> assertThat(call(context, "Bash", Map.of("command", "id")).text())
				.contains("Own sandbox got id"));
	}

	@Test
	void tenantAndSessionAreInLogContextDuringCall() {
		List<Map<String, String>> seen = new ArrayList<>();
		this.contextRunner.withBean("recording", ToolInterceptor.class, () -> (call, context, chain) -> {
			seen.add(MDC.getCopyOfContextMap());
			return chain.proceed(call, context);
		}).withPropertyValues("kairo.workspace.roots=" + this.directory + "/{tenant}").run((context) -> {
			try (MDC.MDCCloseable outer = MDC.putCloseable("tenant.id", "of the request")) {
				context.getBean(AgentSessions.class)
					.runInSession(new TenantContext("acme", "ann"), "s-1",
							(tools) -> context.getBean(ToolCatalog.class).call("List", Map.of(), tools));
				assertThat(MDC.getCopyOfContextMap()).containsExactly(Map.entry("tenant.id", "of the request"));
			}
			context.getBean(AgentSessions.class)
				.runInSession(new TenantContext("beta", "bob"), null,
						(tools) -> context.getBean(ToolCatalog.class).call("List", Map.of(), tools));
			assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
		});
		assertThat(seen).containsExactly(Map.of("tenant.id", "acme", "session.id", "s-1"), Map.of("tenant.id", "beta"));
	}

	@Test
	void callsWorkWithoutSlf4j() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(MDC.class))
			.withPropertyValues("kairo.workspace.roots=" + this.directory)
			.run((context) -> assertThat(call(context, "List", Map.of()).error()).isNull());
	}

	@Test
	void toolNamesFollowNaming() {
		this.contextRunner.withPropertyValues("kairo.tools.naming=snake_case")
			.run((context) -> assertThat(names(context)).containsExactly("read_file", "write_file", "edit_file",
					"multi_edit", "apply_patch", "list_files", "get_workspace_info", "find_files", "search_files",
					"move_file", "copy_file", "delete_file", "undelete_file", "checkpoint", "show_changes", "rewind",
					"trial", "run_command", "command_output", "command_input", "kill_command", "list_commands"));
	}

	@Test
	void includeAndExcludeUseNamesOfNaming() {
		this.contextRunner
			.withPropertyValues("kairo.tools.naming=snake-case", "kairo.tools.include=read_file,write_file,run_command",
					"kairo.tools.exclude=write_file", "kairo.sandbox.type=none")
			.run((context) -> assertThat(names(context)).containsExactly("read_file"));
		this.contextRunner.withPropertyValues("kairo.tools.naming=snake_case", "kairo.tools.include=Read")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.tools.include", "read_file"));
	}

	@Test
	void bashIsAbsentWithoutSandbox() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=none")
			.run((context) -> assertThat(names(context)).containsExactly(FILE_TOOLS));
	}

	@Test
	void bashIsAbsentForSandboxTypeNoneDespiteSandboxBean() {
		this.contextRunner.withPropertyValues("kairo.sandbox.type=none")
			.withBean(ExecutionSandbox.class, () -> (request) -> {
				throw new IllegalStateException("not used");
			})
			.run((context) -> assertThat(names(context)).containsExactly(FILE_TOOLS));
	}

	@Test
	void commandsCannotWriteToReadOnlyWorkspace() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.workspace.read-only=true")
			.run((context) -> {
				call(context, "Bash", Map.of("command", "touch written"));
				assertThat(this.directory.resolve("written")).doesNotExist();
			});
	}

	@Test
	void prefixIsPartOfTheNamesOfBundledTools() throws Exception {
		Files.writeString(this.directory.resolve("note.txt"), "remember\n");
		ApplicationContextRunner prefixed = this.contextRunner.withPropertyValues(
				"kairo.workspace.roots=" + this.directory, "kairo.tools.name-prefix=kairo_",
				"kairo.tools.include=kairo_Read,kairo_Bash", "kairo.tools.exclude=kairo_Bash");
		prefixed.run((context) -> {
			ToolCatalog tools = context.getBean(ToolCatalog.class);
			assertThat(tools.definitions()).extracting(ToolDefinition::name).containsExactly("kairo_Read");
			assertThat(tools.definitions().get(0).description()).doesNotContain("kairo_");
			assertThat(context.getBean(AgentSessions.class)
				.callInSession(TenantContext.SINGLE, null,
						(call) -> tools.call("kairo_Read", Map.of("file_path", "note.txt"), call))
				.text()).contains("remember");
		});
		prefixed.withPropertyValues("kairo.tools.include=*", "kairo.tools.exclude=").run((context) -> {
			ToolDefinition edit = context.getBean(ToolCatalog.class)
				.definitions()
				.stream()
				.filter((definition) -> definition.name().equals("kairo_Edit"))
				.findFirst()
				.orElseThrow();
			assertThat(edit.description()).contains("as kairo_Read shows it");
			assertThat(edit.outputSchema()).isNotNull();
		});
		prefixed.withPropertyValues("kairo.tools.name-prefix=my tools")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.tools.name-prefix", "my tools"));
	}

	@Test
	void toolOfTheApplicationReplacesToolOfSameName() {
		this.contextRunner.withBean(AgentTool.class, () -> new NamedTool("Read")).run((context) -> {
			assertThat(names(context)).containsExactlyInAnyOrder(ALL);
			assertThat(call(context, "Read", Map.of()).text()).isEqualTo("Read of the application");
		});
	}

	@ParameterizedTest
	@CsvSource({ "claude, Read, limit, 121", "claude, List, depth, 7", "claude, List, limit, 122",
			"claude, Glob, limit, 123", "claude, Grep, head_limit, 124", "snake_case, list_files, depth, 7",
			"snake_case, list_files, limit, 122", "snake_case, find_files, limit, 123",
			"snake_case, search_files, head_limit, 124" })
	void schemasShowConfiguredDefaults(String naming, String tool, String parameter, int value) {
		this.contextRunner
			.withPropertyValues("kairo.tools.naming=" + naming, "kairo.tools.read.max-lines=121",
					"kairo.tools.list.depth=7", "kairo.tools.list.limit=122", "kairo.tools.glob.limit=123",
					"kairo.tools.grep.head-limit=124")
			.run((context) -> assertThat(context.getBean(ToolCatalog.class).definitions())
				.filteredOn(ToolDefinition::name, tool)
				.singleElement()
				.extracting("inputSchema.properties.%s.default".formatted(parameter), InstanceOfAssertFactories.INTEGER)
				.isEqualTo(value));
	}

	@Test
	void toolLimitsFollowProperties() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.tools.read.max-lines=1",
					"kairo.tools.write.max-size=10B", "kairo.tools.glob.limit=1", "kairo.tools.edit.max-size=1B")
			.run((context) -> {
				call(context, "Write", Map.of("file_path", "a", "content", "1\n2\n"));
				call(context, "Write", Map.of("file_path", "b", "content", "3\n"));
				assertThat(call(context, "Read", Map.of("file_path", "a")).complete().complete()).isFalse();
				assertThat(call(context, "Glob", Map.of("pattern", "*")).complete().complete()).isFalse();
				assertThat(call(context, "Write", Map.of("file_path", "c", "content", "x".repeat(11))).error().code())
					.isEqualTo("too_large");
				assertThat(call(context, "Edit", Map.of("file_path", "b", "old_string", "3", "new_string", "4")).error()
					.code()).isEqualTo("too_large");
			});
	}

	@Test
	void readEndsAtTheConfiguredDeadline() throws Exception {
		Files.writeString(this.directory.resolve("endless"), "x".repeat(50 << 20));
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.tools.search.deadline=1ms")
			.run((context) -> assertThat(call(context, "Read", Map.of("file_path", "endless")).complete().complete())
				.isFalse());
	}

	@ParameterizedTest
	@CsvSource({ "kairo.tools.read.max-lines,0", "kairo.tools.write.max-size,3GB", "kairo.tools.list.max-limit,499",
			"kairo.tools.search.deadline,0s", "kairo.tools.grep.max-characters,999", "kairo.tools.output.max-age,-1s" })
	void invalidToolLimitFailsStartup(String property, String value) {
		this.contextRunner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining(property));
	}

	@Test
	void toolsAreIncludedAndExcludedByName() {
		this.contextRunner.withPropertyValues("kairo.tools.include=Read")
			.run((context) -> assertThat(names(context)).containsExactly("Read"));
		this.contextRunner.withPropertyValues("kairo.tools.exclude=Bash")
			.run((context) -> assertThat(names(context)).containsExactly(FILE_TOOLS));
		this.contextRunner.withPropertyValues("kairo.tools.exclude=Bash", "kairo.sandbox.type=none")
			.run((context) -> assertThat(names(context)).containsExactly(FILE_TOOLS));
	}

	@Test
	void unknownToolNameFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.tools.exclude=Bsh")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.tools.exclude", "Bsh", "Read, Write, Edit"));
	}

	@Test
	void toolAndInterceptorOfTheApplicationAreUsed() {
		this.contextRunner.withUserConfiguration(OwnTools.class).run((context) -> {
			assertThat(names(context)).contains("Read", "Bash", "Own");
			assertThat(call(context, "Own", Map.of()).text()).isEqualTo("intercepted Own of the application");
		});
	}

	@Test
	void catalogOfTheApplicationReplacesTheDefault() {
		this.contextRunner.withBean(ToolCatalog.class, () -> ToolCatalog.of(java.util.List.of(), java.util.List.of()))
			.run((context) -> assertThat(names(context)).isEmpty());
	}

	@Test
	void toolsBackOffWithoutAgentTools() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(ToolCatalog.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoToolCatalog"));
	}

	@Test
	void startupLogsOneLineAndWarnsOfMissingIsolation(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory,
					"kairo.sandbox.bubblewrap.executable=/no/bwrap", "kairo.sandbox.auto-order=bubblewrap,process")
			.run((context) -> {
				assertThat(output).containsOnlyOnce("Kairo: workspace");
				assertThat(output).contains(this.directory.toString(), "policy roots",
						"sandbox process (isolation=none, bubblewrap cannot be used: bwrap_missing",
						"[Read, Write, Edit, MultiEdit, ApplyPatch, List, Info, Glob, Grep, Move, Copy, Delete, Undelete, Checkpoint, Changes, Rewind, Trial, Bash, BashOutput, BashInput, KillBash, BashList]");
				assertThat(output).contains(
						"; commands are not held to 14 of 14 protected-paths (health lists them as fileToolsAlone); tools [")
					.doesNotContain("**/");
				assertThat(output).contains("WARN").contains("with the rights of this application");
			});
	}

	@Test
	void startupWarnsOfARepositoryThatCommandsDoNotSee(CapturedOutput output) throws IOException {
		Path checkout = Files.createDirectory(this.directory.toRealPath().resolve("checkout"));
		Path worktree = Files.createDirectory(checkout.resolveSibling("worktree"));
		Path repository = Files.createDirectories(checkout.resolve(".git/worktrees/worktree"));
		Files.writeString(worktree.resolve(".git"), "gitdir: ../checkout/.git/worktrees/worktree\n");
		ApplicationContextRunner runner = this.contextRunner.withBean(ConfinedSandbox.class)
			.withPropertyValues("kairo.workspace.roots=" + worktree);
		runner.withPropertyValues("kairo.workspace.add-dirs=" + checkout)
			.run((context) -> assertThat(output).contains("sandbox confined").doesNotContain("Git fails"));
		runner.run((context) -> assertThat(output).contains("Git fails in commands in " + worktree,
				"whose repository " + repository + " they do not see"));
	}

	@Test
	void sandboxIsTestedWhileBeansAreCreated(CapturedOutput output) {
		this.contextRunner.withBean(PatientSandbox.class)
			.withConfiguration(AutoConfigurations.of(LastBean.class))
			.run((context) -> assertThat(output).contains("sandbox patient (isolation=none)"));
	}

	@Test
	void tenantMayCallItsEnabledToolsOnly() {
		this.contextRunner
			.withPropertyValues("kairo.tools.enabled=Read,Glob", "kairo.tools.tenants.acme.enabled=Read,Write",
					"kairo.workspace.roots=" + this.directory + "/{tenant}")
			.run((context) -> {
				assertThat(names(context)).containsExactly("Read", "Write", "Glob");
				assertThat(call(context, "Glob", Map.of("pattern", "*")).error()).isNull();
				ToolResult refused = call(context, "Write", Map.of("file_path", "x", "content", "x"));
				assertThat(refused.text())
					.isEqualTo("tool_not_enabled: The tool Write is not enabled here.\nUse one of Read, Glob.");
				assertThat(call(context, "Bash", Map.of("command", "ls")).data()).containsEntry("error",
						"tool_not_enabled");
				assertThat(call(context, "Bsh", Map.of()).data()).containsEntry("error", "unknown_tool");
				assertThat(call(context, new TenantContext("acme", "ann"), "Write",
						Map.of("file_path", "x", "content", "x"))
					.error()).isNull();
				assertThat(call(context, new TenantContext("acme", "ann"), "Glob", Map.of("pattern", "*")).text())
					.contains("Use one of Read, Write.");
			});
	}

	@ParameterizedTest
	@CsvSource({ "kairo.tools.enabled, Raed, Read", "kairo.tools.tenants.acme.enabled, glob, Glob",
			"kairo.tools.exclude, Gerp, Grep" })
	void unknownToolFailsStartupWithNearestName(String property, String name, String near) {
		this.contextRunner.withPropertyValues(property + "=" + name)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll(property, name, "did you mean " + near + "?", "Read, Write, Edit"));
	}

	private static java.util.List<String> names(ApplicationContext context) {
		return context.getBean(ToolCatalog.class).definitions().stream().map(ToolDefinition::name).toList();
	}

	private static ToolResult call(ApplicationContext context, String tool, Map<String, Object> arguments) {
		return call(context, TenantContext.SINGLE, tool, arguments);
	}

	private static ToolResult call(ApplicationContext context, TenantContext tenant, String tool,
			Map<String, Object> arguments) {
		return context.getBean(AgentSessions.class)
			.inSession(tenant, null, (builder) -> context.getBean(ToolCatalog.class)
				.call(new ToolCall("", tool, arguments), builder.build()));
	}

	@Test
	void customizersChangeCatalogInTheirOrder() {
		this.contextRunner.withUserConfiguration(Customizers.class)
			.withPropertyValues("kairo.tools.include=Read,List", "kairo.workspace.roots=" + this.directory)
			.run((context) -> {
				assertThat(names(context)).containsExactly("List", "added");
				assertThat(call(context, "List", Map.of()).text()).isEqualTo("intercepted");
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		@Order(2)
		ToolCatalogCustomizer second() {
			return (tools, interceptors) -> tools.remove(0);
		}

		@Bean
		@Order(1)
		ToolCatalogCustomizer first() {
			return (tools, interceptors) -> {
				tools.add(new NamedTool("added"));
				interceptors.add((call, context, chain) -> ToolResult.ok("intercepted", Map.of()));
			};
		}

	}

	static class ConfinedSandbox implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE, "It runs no commands", "use another");
		}

		@Override
		public SandboxCapabilities capabilities() {
			return SandboxCapabilities.of("confined", Set.of(SandboxCapability.FILE_CONFINEMENT), Map.of());
		}

	}

	/**
	 * A sandbox whose self-test ends when all beans have been created. A proxy is around
	 * it.
	 */
	static class PatientSandbox implements ExecutionSandbox {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch created = new CountDownLatch(1);

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SandboxCapabilities capabilities() {
			this.begun.countDown();
			await(this.created);
			return SandboxCapabilities.none("patient");
		}

		public void createLast() {
			await(this.begun);
			this.created.countDown();
		}

		private static void await(CountDownLatch latch) {
			try {
				assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	@AutoConfiguration(after = KairoToolsAutoConfiguration.class)
	static class LastBean {

		@Bean
		String last(PatientSandbox sandbox) {
			sandbox.createLast();
			return "last";
		}

	}

	private record NamedTool(String name) implements AgentTool {

		@Override
		public ToolDefinition definition() {
			return new ToolDefinition(this.name, "Own tool", Map.of("type", "object"), ToolAnnotations.READ_ONLY);
		}

		@Override
		public ToolResult call(Map<String, Object> arguments, ToolContext context) {
			return ToolResult.ok(this.name + " of the application", Map.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnTools {

		@Bean
		AgentTool ownTool() {
			return new NamedTool("Own");
		}

		@Bean
		ToolInterceptor ownInterceptor() {
			return (call, context, chain) -> ToolResult.ok("intercepted " + chain.proceed(call, context).text(),
					Map.of());
		}

	}

}
