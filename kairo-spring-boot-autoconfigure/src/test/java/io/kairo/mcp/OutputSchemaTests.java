package io.kairo.mcp;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.conformance.ToolCalls;
import io.kairo.autoconfigure.conformance.ToolCalls.Call;
import io.kairo.mcp.McpProperties.StructuredContent;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.springai.KairoSpringAiAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.LimitExceeded;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the structured content of every tool, of successes and failures, is what its
 * output schema says, and nothing more.
 */
@Timeout(120)
class OutputSchemaTests {

	@TempDir
	Path directory;

	private Path root;

	@BeforeEach
	void makeFiles() throws Exception {
		this.root = Files.createDirectory(this.directory.resolve("root"));
		ToolCalls.makeFiles(this.root);
	}

	@Test
	void resultsOfEveryToolMatchItsSchema() {
		runner().withPropertyValues("kairo.workspace.roots=" + this.root)
			.run((context) -> assertMatches(context, ToolNaming.CLAUDE, ToolCalls.CLAUDE,
					Set.of("Diff", "Commit", "Push"), Set.of()));
	}

	@Test
	void resultsOfHistoryMatchTheirSchema() throws Exception {
		try (Git git = Git.init().setDirectory(this.root.toFile()).setInitialBranch("main").call()) {
			git.add().addFilepattern(".").call();
			git.commit().setMessage("Say one").setAuthor("Ann", "ann@example.org").setSign(false).call();
		}
		Set<String> others = Set.of("Read", "Write", "Edit", "MultiEdit", "ApplyPatch", "List", "Info", "Glob", "Grep",
				"Move", "Copy", "Delete", "Undelete", "Checkpoint", "Changes", "Rewind", "Trial", "Bash", "BashOutput",
				"BashInput", "KillBash", "BashList");
		runner()
			.withPropertyValues("kairo.workspace.roots=" + Files.createDirectory(this.directory.resolve("other")),
					"kairo.workspace.git.allowed-urls=file://" + this.directory.toRealPath() + "/",
					"kairo.workspace.hint=git:file://" + this.root.toRealPath())
			.run((context) -> assertMatches(context, ToolNaming.CLAUDE,
					List.of(new Call("Write", "file_path", "new.txt", "content", "x\n"), new Call("Diff"),
							new Call("Diff", "path", "../outside"), new Call("Commit", "message", "Say hello"),
							new Call("Commit", "message", "Say hello"), new Call("Push", "branch", "hello"),
							new Call("Push", "branch", "main")),
					others, others));
	}

	@Test
	void resultsOfTaskToolsMatchTheirSchemaAndAreTheSameInSpringAi() {
		Set<String> others = Set.of("edit_file", "multi_edit", "apply_patch", "find_files", "search_files", "move_file",
				"copy_file", "delete_file", "undelete_file", "checkpoint", "show_changes", "rewind", "trial",
				"run_command", "command_output", "command_input", "kill_command", "list_commands", "diff", "commit",
				"push");
		runner().withPropertyValues("kairo.workspace.roots=" + this.root, "kairo.tools.naming=snake_case")
			.run((context) -> {
				assertMatches(context, ToolNaming.SNAKE_CASE, ToolCalls.TASK, others, others);
				ToolCallback[] callbacks = context.getBean(ToolCallbackProvider.class).getToolCallbacks();
				for (Call call : ToolCalls.TASK) {
					ToolResult result = inSession(context, call);
					Map<?, ?> answer = JsonMapper.shared().readValue(answer(callbacks, call), Map.class);
					assertThat(answer).as(call.toString()).isEqualTo(json(result.structured(ToolNaming.SNAKE_CASE)));
				}
			});
	}

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(KairoSpringAiAutoConfiguration.class, KairoTenancyAutoConfiguration.class,
							KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
							KairoGitWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process", "kairo.state-dir=" + this.directory.resolve("state"));
	}

	/**
	 * Makes the calls in one session.
	 * @param neverSucceeding tools without a successful call
	 * @param neverFailing tools without a failing call
	 */
	private static void assertMatches(ApplicationContext context, ToolNaming naming, List<Call> calls,
			Set<String> neverSucceeding, Set<String> neverFailing) {
		ToolCatalog catalog = context.getBean(ToolCatalog.class);
		Map<String, ToolDefinition> tools = catalog.definitions()
			.stream()
			.collect(Collectors.toMap(ToolDefinition::name, (tool) -> tool, (one, two) -> one, LinkedHashMap::new));
		Set<String> succeeded = new TreeSet<>();
		Set<String> failed = new TreeSet<>();
		context.getBean(AgentSessions.class).inSession(TenantContext.SINGLE, "s", (builder) -> {
			ToolContext session = builder.carriesAttachments().build();
			String last = "";
			for (Call call : calls) {
				ToolResult result = catalog.call(call.tool(), call.arguments(last), session);
				last = String.valueOf(result.data().getOrDefault("id", last));
				((result.error() == null) ? succeeded : failed).add(call.tool());
				assertValid(tools.get(call.tool()), result, naming, call + ": " + result.text());
			}
			return true;
		});
		assertThat(succeeded).containsAll(without(tools.keySet(), neverSucceeding));
		assertThat(failed).containsAll(without(tools.keySet(), neverFailing));
		ToolResult limited = new LimitExceeded(LimitExceeded.CALLS_PER_MINUTE, 5, Duration.ofSeconds(1)).result();
		tools.values().forEach((tool) -> assertValid(tool, limited, naming, "limit of " + tool.name()));
	}

	private static Set<String> without(Set<String> all, Set<String> some) {
		return all.stream().filter((name) -> !some.contains(name)).collect(Collectors.toSet());
	}

	private static void assertValid(ToolDefinition tool, ToolResult result, ToolNaming naming, String call) {
		assertThat(tool.outputSchema()).as(tool.name()).isNotNull();
		Map<String, Object> structured = new McpStructuredContent(StructuredContent.ALL, naming).content(tool, result);
		ValidationResponse response = McpJsonDefaults.getSchemaValidator()
			.validate(strict(McpStructuredContent.schema(tool)), json(structured));
		assertThat(response.valid()).as("%s: %s, structured content %s", call, response.errorMessage(), structured)
			.isTrue();
	}

	/**
	 * Returns a schema that allows only known properties.
	 */
	@SuppressWarnings("unchecked")
	private static Map<String, Object> strict(Map<String, Object> schema) {
		Map<String, Object> strict = new LinkedHashMap<>();
		schema.forEach((name, value) -> strict.put(name,
				(value instanceof Map<?, ?> nested) ? strict((Map<String, Object>) nested) : value));
		if (schema.get("properties") instanceof Map<?, ?> && "object".equals(schema.get("type"))) {
			strict.put("additionalProperties", false);
		}
		return strict;
	}

	private static Map<?, ?> json(Map<String, Object> value) {
		return JsonMapper.shared().readValue(JsonMapper.shared().writeValueAsString(value), Map.class);
	}

	private static ToolResult inSession(ApplicationContext context, Call call) {
		return context.getBean(AgentSessions.class)
			.callInSession(TenantContext.SINGLE, "s",
					(session) -> context.getBean(ToolCatalog.class).call(call.tool(), call.arguments(""), session));
	}

	/**
	 * Returns what Spring AI passes to the model.
	 */
	private static String answer(ToolCallback[] callbacks, Call call) {
		for (ToolCallback callback : callbacks) {
			if (callback.getToolDefinition().name().equals(call.tool())) {
				try {
					return callback.call(JsonMapper.shared().writeValueAsString(call.arguments("")));
				}
				catch (ToolExecutionException ex) {
					return ex.getMessage();
				}
			}
		}
		throw new IllegalArgumentException(call.tool());
	}

}
