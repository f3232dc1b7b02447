package io.kairo.autoconfigure.mcp;

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
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.springai.KairoSpringAiAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoGitWorkspaceAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.LimitExceeded;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
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

	/** Stands for the id of the command that was started last. */
	private static final String LAST = "{last}";

	private static final Call[] CLAUDE = { new Call("Read", "file_path", "a.txt"),
			new Call("Read", "file_path", "a.txt", "limit", 1), new Call("Read", "file_path", "."),
			new Call("Read", "file_path", "image.png"), new Call("Read", "file_path", "missing"),
			new Call("Write", "file_path", "new.txt", "content", "x\n"),
			new Call("Write", "file_path", "new.txt", "content", "y\n"),
			new Call("Write", "file_path", "a.txt", "content", "y\n", "expected_version", "1-1"),
			new Call("Edit", "file_path", "a.txt", "old_string", "two", "new_string", "2"),
			new Call("Edit", "file_path", "a.txt", "old_string", "2", "new_string", "two", "dry_run", true),
			new Call("Edit", "file_path", "b.txt", "old_string", "", "new_string", "new"),
			new Call("Edit", "file_path", "a.txt", "old_string", "missing", "new_string", "2"),
			new Call("Edit", "file_path", "a.txt", "old_string", "2", "new_string", "3", "expected_version", "1-1"),
			new Call("MultiEdit", "file_path", "a.txt", "edits",
					List.of(Map.of("old_string", "one", "new_string", "1"))),
			new Call("MultiEdit", "file_path", "a.txt", "edits",
					List.of(Map.of("old_string", "1", "new_string", "one")), "dry_run", true),
			new Call("MultiEdit", "file_path", "a.txt", "edits",
					List.of(Map.of("old_string", "missing", "new_string", "1"))),
			new Call("MultiEdit", "file_path", "a.txt", "edits", List.of(Map.of("old_string", "2", "new_string", "3")),
					"expected_version", "1-1"),
			new Call("ApplyPatch", "patch",
					"*** Begin Patch\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-new\n+old\n*** End Patch"),
			new Call("ApplyPatch", "patch", "*** Begin Patch\n*** Delete File: c.txt\n*** End Patch", "dry_run", true),
			new Call("ApplyPatch", "patch", "*** Begin Patch\n*** Delete File: b.txt\n*** End Patch"), new Call("List"),
			new Call("List", "limit", 1), new Call("List", "path", "missing"), new Call("Info"),
			new Call("Info", "path", "a.txt"), new Call("Info", "path", "image.png"),
			new Call("Info", "path", "directory"), new Call("Info", "path", "missing"),
			new Call("Glob", "pattern", "*.txt"), new Call("Glob", "pattern", "*.txt", "limit", 1),
			new Call("Glob", "pattern", "["), new Call("Grep", "pattern", "o"),
			new Call("Grep", "pattern", "o", "output_mode", "content", "head_limit", 1),
			new Call("Grep", "pattern", "o", "output_mode", "count"), new Call("Grep", "pattern", "("),
			new Call("Move", "source", "z.txt", "destination", "moved.txt"),
			new Call("Move", "source", "missing", "destination", "x"),
			new Call("Copy", "source", "directory", "destination", "copy", "recursive", true),
			new Call("Copy", "source", "moved.txt", "destination", "new.txt", "overwrite", true),
			new Call("Copy", "source", "directory", "destination", "x"), new Call("Delete", "path", "copy"),
			new Call("Delete", "path", "missing"), new Call("Delete", "path", "moved.txt", "permanent", true),
			new Call("Undelete"), new Call("Undelete", "path", "copy"), new Call("Undelete", "path", "copy"),
			new Call("Bash", "command", "echo out; kill -SEGV $$"), new Call("Bash", "command", "seq 100000"),
			new Call("Read", "file_path", "@output/1", "limit", 2),
			new Call("Bash", "command", "sleep 30", "timeout", 100), new Call("Bash", "command", " "),
			new Call("Bash", "command", "echo one; read a; sleep 60", "run_in_background", true), new Call("BashList"),
			new Call("BashOutput", "bash_id", LAST, "wait_for", "one"), new Call("BashOutput", "bash_id", "bash_0"),
			new Call("BashInput", "bash_id", LAST, "text", "x\n"),
			new Call("BashInput", "bash_id", "bash_0", "text", "x"), new Call("KillBash", "bash_id", LAST),
			new Call("KillBash", "bash_id", "bash_0"), new Call("BashOutput", "bash_id", LAST), new Call("BashList"),
			new Call("BashList", "colour", "red"), new Call("Diff"), new Call("Commit", "message", "Say hello"),
			new Call("Push", "branch", "hello") };

	private static final Call[] TASK = { new Call("read_file", "path", "a.txt"),
			new Call("read_file", "path", "a.txt", "limit", 1), new Call("read_file", "path", "missing"),
			new Call("read_file", "path", "../outside"), new Call("write_file", "path", "c.txt", "content", "x"),
			new Call("write_file", "path", "a.txt/x", "content", "x"), new Call("list_files"),
			new Call("list_files", "limit", 1), new Call("list_files", "path", "missing"),
			new Call("get_workspace_info"), new Call("get_workspace_info", "colour", "red") };

	@TempDir
	Path directory;

	private Path root;

	@BeforeEach
	void makeFiles() throws Exception {
		this.root = Files.createDirectory(this.directory.resolve("root"));
		Files.writeString(this.root.resolve("a.txt"), "one\ntwo\nthree\n");
		Files.writeString(this.root.resolve("z.txt"), "one\n");
		Files.write(this.root.resolve("image.png"),
				new byte[] { (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0 });
		Files.createDirectory(this.root.resolve("directory"));
	}

	@Test
	void resultsOfEveryToolMatchItsSchema() {
		runner().withPropertyValues("kairo.workspace.roots=" + this.root)
			.run((context) -> assertMatches(context, ToolNaming.CLAUDE, CLAUDE, Set.of("Diff", "Commit", "Push"),
					Set.of()));
	}

	@Test
	void resultsOfHistoryMatchTheirSchema() throws Exception {
		try (Git git = Git.init().setDirectory(this.root.toFile()).setInitialBranch("main").call()) {
			git.add().addFilepattern(".").call();
			git.commit().setMessage("Say one").setAuthor("Ann", "ann@example.org").setSign(false).call();
		}
		Set<String> others = Set.of("Read", "Write", "Edit", "MultiEdit", "ApplyPatch", "List", "Info", "Glob", "Grep",
				"Move", "Copy", "Delete", "Undelete", "Bash", "BashOutput", "BashInput", "KillBash", "BashList");
		runner()
			.withPropertyValues("kairo.workspace.roots=" + Files.createDirectory(this.directory.resolve("other")),
					"kairo.workspace.git.allowed-urls=file://" + this.directory.toRealPath() + "/",
					"kairo.workspace.hint=git:file://" + this.root.toRealPath())
			.run((context) -> assertMatches(context, ToolNaming.CLAUDE,
					new Call[] { new Call("Write", "file_path", "new.txt", "content", "x\n"), new Call("Diff"),
							new Call("Diff", "path", "../outside"), new Call("Commit", "message", "Say hello"),
							new Call("Commit", "message", "Say hello"), new Call("Push", "branch", "hello"),
							new Call("Push", "branch", "main") },
					others, others));
	}

	@Test
	void resultsOfTaskToolsMatchTheirSchemaAndAreTheSameInSpringAi() {
		Set<String> others = Set.of("edit_file", "multi_edit", "apply_patch", "find_files", "search_files", "move_file",
				"copy_file", "delete_file", "undelete_file", "run_command", "command_output", "command_input",
				"kill_command", "list_commands", "diff", "commit", "push");
		runner().withPropertyValues("kairo.workspace.roots=" + this.root, "kairo.tools.naming=snake_case")
			.run((context) -> {
				assertMatches(context, ToolNaming.SNAKE_CASE, TASK, others, others);
				ToolCallback[] callbacks = context.getBean(ToolCallbackProvider.class).getToolCallbacks();
				for (Call call : TASK) {
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
	private static void assertMatches(ApplicationContext context, ToolNaming naming, Call[] calls,
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
				call.arguments().replace("bash_id", LAST, last);
				ToolResult result = catalog.call(call.tool(), call.arguments(), session);
				last = String.valueOf(result.data().getOrDefault("id", last));
				((result.error() == null) ? succeeded : failed).add(call.tool());
				assertValid(tools.get(call.tool()), result.structured(naming), call + ": " + result.text());
			}
			return true;
		});
		assertThat(succeeded).containsAll(without(tools.keySet(), neverSucceeding));
		assertThat(failed).containsAll(without(tools.keySet(), neverFailing));
		ToolResult limited = new LimitExceeded(LimitExceeded.CALLS_PER_MINUTE, 5, Duration.ofSeconds(1)).result();
		tools.values().forEach((tool) -> assertValid(tool, limited.structured(naming), "limit of " + tool.name()));
	}

	private static Set<String> without(Set<String> all, Set<String> some) {
		return all.stream().filter((name) -> !some.contains(name)).collect(Collectors.toSet());
	}

	private static void assertValid(ToolDefinition tool, Map<String, Object> structured, String call) {
		assertThat(tool.outputSchema()).as(tool.name()).isNotNull();
		ValidationResponse response = McpJsonDefaults.getSchemaValidator()
			.validate(strict(McpTools.outputSchema(tool)), json(structured));
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
					(session) -> context.getBean(ToolCatalog.class).call(call.tool(), call.arguments(), session));
	}

	/**
	 * Returns what Spring AI passes to the model.
	 */
	private static String answer(ToolCallback[] callbacks, Call call) {
		for (ToolCallback callback : callbacks) {
			if (callback.getToolDefinition().name().equals(call.tool())) {
				try {
					return callback.call(JsonMapper.shared().writeValueAsString(call.arguments()));
				}
				catch (ToolExecutionException ex) {
					return ex.getMessage();
				}
			}
		}
		throw new IllegalArgumentException(call.tool());
	}

	private record Call(String tool, Map<String, Object> arguments) {

		Call(String tool, Object... arguments) {
			this(tool, new LinkedHashMap<>());
			for (int i = 0; i < arguments.length; i += 2) {
				this.arguments.put((String) arguments[i], arguments[i + 1]);
			}
		}

	}

}
