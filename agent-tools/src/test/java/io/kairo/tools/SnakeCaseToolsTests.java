package io.kairo.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.LocalWorkspaceFilesFactory;
import io.kairo.workspace.task.TaskWorkspaceProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the tools under {@link ToolNaming#SNAKE_CASE}.
 */
class SnakeCaseToolsTests {

	private static final Pattern OTHER_NAMES = Pattern
		.compile("\\b(Read|Write|Edit|List|Info|Glob|Grep|Bash|file_path)\\b|\"-[ABCni]\"");

	@TempDir
	Path temp;

	private TaskTools tools;

	@BeforeEach
	void createTools() {
		this.tools = new TaskTools(this.temp.resolve("data"));
		this.tools.tree().register("ann", "root");
		this.tools.tree().register("bob", "ann");
	}

	@AfterEach
	void closeTools() {
		this.tools.close();
	}

	private static List<AgentTool> all(ToolNaming naming) {
		return List.of(new ReadTool(ReadOptions.defaults(), naming), new WriteTool(WriteOptions.defaults(), naming),
				new EditTool(EditOptions.defaults(), naming), new ListTool(ListOptions.defaults(), naming),
				new InfoTool(InfoOptions.defaults(), naming), new GlobTool(GlobOptions.defaults(), naming),
				new GrepTool(GrepOptions.defaults(), naming), new BashTool(BashOptions.defaults(), naming));
	}

	private static List<String> parameters(AgentTool tool) {
		Map<?, ?> properties = (Map<?, ?>) tool.definition().inputSchema().get("properties");
		return properties.keySet().stream().map(String::valueOf).toList();
	}

	@Nested
	class Definitions {

		@Test
		void haveTheNamesOfTheNaming() {
			assertThat(all(ToolNaming.SNAKE_CASE)).extracting((tool) -> tool.definition().name())
				.containsExactly("read_file", "write_file", "edit_file", "list_files", "get_workspace_info",
						"find_files", "search_files", "run_command");
			assertThat(all(ToolNaming.CLAUDE)).extracting((tool) -> tool.definition().name())
				.containsExactly("Read", "Write", "Edit", "List", "Info", "Glob", "Grep", "Bash");
		}

		@Test
		void speakOfNoOtherNames() {
			for (AgentTool tool : all(ToolNaming.SNAKE_CASE)) {
				assertThat(tool.definition().description() + tool.definition().inputSchema())
					.as(tool.definition().name())
					.doesNotContainPattern(OTHER_NAMES);
			}
			for (AgentTool tool : all(ToolNaming.CLAUDE)) {
				assertThat(tool.definition().description() + tool.definition().inputSchema())
					.as(tool.definition().name())
					.doesNotContainPattern("(read|write|edit|list|find|search)_file|run_command");
			}
		}

		@Test
		void haveTheParametersOfTheNaming() {
			List<AgentTool> tools = all(ToolNaming.SNAKE_CASE);
			assertThat(parameters(tools.get(0))).containsExactly("path", "offset", "limit");
			assertThat(parameters(tools.get(1))).containsExactly("path", "content", "expected_version");
			assertThat(tools.get(1).definition().inputSchema()).containsEntry("required", List.of("path", "content"));
			assertThat(parameters(tools.get(3))).contains("path").doesNotContain("hidden");
			assertThat(tools.get(3).definition().inputSchema()).doesNotContainKey("required");
			assertThat(parameters(tools.get(4))).isEmpty();
			assertThat(parameters(tools.get(6))).contains("after_context", "ignore_case").doesNotContain("-A");
		}

		@ParameterizedTest
		@EnumSource(ToolNaming.class)
		void haveTheSameAnnotations(ToolNaming naming) {
			assertThat(all(naming)).extracting((tool) -> tool.definition().annotations())
				.isEqualTo(all(ToolNaming.CLAUDE).stream().map((tool) -> tool.definition().annotations()).toList());
		}

	}

	@Nested
	class Arguments {

		@Test
		void areNamedInErrorsAsTheyAreCalled() {
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "read_file", Map.of()).text())
				.contains("The parameter 'path' is missing");
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "write_file", Map.of("name", "x")).text())
				.contains("Known parameters: path, content, expected_version.");
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "read_file", Map.of("path", List.of(1))).text())
				.contains("The parameter 'path' cannot be");
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "read_file", Map.of("path", "a", "file_path", "b"))
				.text()).contains("'path' is given twice");
		}

		@Test
		void areNamedSoWhereTheirValueIsWrong() {
			ToolCatalog catalog = ToolCatalog.of(all(ToolNaming.SNAKE_CASE), List.of());
			ToolContext context = ToolContext.builder(Workspace.cwd()).build();
			for (String parameter : List.of("after_context", "before_context", "context")) {
				ToolCall call = new ToolCall("1", "search_files", Map.of("pattern", "x", parameter, -5));
				assertThat(catalog.call(call, context).text()).contains(": " + parameter + " is -5")
					.doesNotContain("-A", "-B", "-C");
			}
		}

		@Test
		void thatThereAreNotAreRefused() {
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "get_workspace_info", Map.of("path", "a")).data())
				.containsEntry("error", "invalid_arguments");
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "list_files", Map.of("hidden", true)).data())
				.containsEntry("error", "invalid_arguments");
		}

		@Test
		void ofTheOtherNamingAreAliases() {
			SnakeCaseToolsTests.this.tools.write("ann", "a", "x");
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "read_file", Map.of("file_path", "a")).data())
				.containsEntry("content", "x");
		}

	}

	@Nested
	class Writing {

		@Test
		void needsNoReadingBefore() throws IOException {
			Path file = SnakeCaseToolsTests.this.tools.workspace("ann").resolve("a");
			Files.createDirectories(file.getParent());
			Files.writeString(file, "by another\r\n");
			assertThat(SnakeCaseToolsTests.this.tools.write("bob", "a", "new\n").data()).isEqualTo(Map.of("ok", true));
			assertThat(file).hasContent("new\n");
			assertThat(Files.readString(file)).isEqualTo("new\n");
		}

		@Test
		void checksTheVersionThatIsGiven() {
			String text = SnakeCaseToolsTests.this.tools.write("ann", "a", "one").text();
			String version = text.replaceAll("(?s).*version (\\S+)\\)\\.", "$1");
			assertThat(SnakeCaseToolsTests.this.tools.read("ann", "a").text()).endsWith("(version " + version + ")");
			Map<String, Object> arguments = Map.of("path", "a", "content", "two", "expected_version", version);
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "write_file", arguments).data())
				.isEqualTo(Map.of("ok", true));
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "write_file", arguments).data())
				.containsEntry("error", "stale_read");
			assertThat(SnakeCaseToolsTests.this.tools
				.call("ann", "write_file", Map.of("path", "a", "content", "x", "expected_version", "absent"))
				.data()).containsEntry("error", "stale_read");
			assertThat(SnakeCaseToolsTests.this.tools.read("ann", "a").data()).containsEntry("content", "two");
		}

		@Test
		void makesTheFileKnownToTheSession() {
			SnakeCaseToolsTests.this.tools.call("ann", "s", "write_file", Map.of("path", "a", "content", "one"));
			assertThat(SnakeCaseToolsTests.this.tools
				.call("ann", "s", "edit_file", Map.of("path", "a", "old_string", "one", "new_string", "two"))
				.error()).isNull();
			assertThat(SnakeCaseToolsTests.this.tools.read("ann", "a").data()).containsEntry("content", "two");
		}

		@Test
		void refusesWhatIsNoText() {
			assertThat(SnakeCaseToolsTests.this.tools.write("ann", "a", "half \uD800 a character").data())
				.containsEntry("error", "unmappable_characters");
		}

		@Test
		void refusesDirectories() {
			SnakeCaseToolsTests.this.tools.write("ann", "d/a", "x");
			assertThat(SnakeCaseToolsTests.this.tools.write("ann", "d", "x").data()).containsEntry("error",
					"is_a_directory");
			assertThat(SnakeCaseToolsTests.this.tools.read("ann", "d").data()).containsEntry("error", "is_a_directory");
			assertThat(SnakeCaseToolsTests.this.tools.write("ann", "d/a/b", "x").data()).containsEntry("error",
					"not_a_directory");
		}

	}

	@Nested
	class Reading {

		@Test
		void numbersLinesInTheTextOnly() {
			SnakeCaseToolsTests.this.tools.write("ann", "a", "one\ntwo");
			ToolResult result = SnakeCaseToolsTests.this.tools.read("ann", "a");
			assertThat(result.text()).contains("1\tone").contains("2\ttwo");
			assertThat(result.data()).isEqualTo(Map.of("content", "one\ntwo"));
		}

		@Test
		void returnsTheLinesThatAreAskedFor() {
			SnakeCaseToolsTests.this.tools.write("ann", "a", "one\r\ntwo\r\nthree\r\n");
			ToolResult result = SnakeCaseToolsTests.this.tools.call("ann", "read_file",
					Map.of("path", "a", "offset", 2, "limit", 1));
			assertThat(result.data()).isEqualTo(Map.of("content", "two\n"));
			assertThat(result.complete().next()).containsEntry("path", "a").containsEntry("offset", 3L);
		}

		@Test
		void refusesToReturnAPartAsIfItWereAll() {
			SnakeCaseToolsTests.this.tools.write("ann", "large", "0123456789\n".repeat(40_000));
			ToolResult result = SnakeCaseToolsTests.this.tools.read("ann", "large");
			assertThat(result.data()).containsEntry("error", "too_large");
			assertThat(result.text()).contains("offset and limit");
			assertThat(
					SnakeCaseToolsTests.this.tools.call("ann", "read_file", Map.of("path", "large", "limit", 2)).data())
				.isEqualTo(Map.of("content", "0123456789\n0123456789\n"));
		}

		@Test
		void returnsTheTextOfOtherCharsets() throws IOException {
			SnakeCaseToolsTests.this.tools.write("ann", "a", "x");
			Path file = SnakeCaseToolsTests.this.tools.workspace("ann").resolve("latin");
			Files.write(file, new byte[] { 'n', 'a', (byte) 0xEF, 'v', 'e' });
			assertThat(SnakeCaseToolsTests.this.tools.read("ann", "latin").data()).containsEntry("content", "naïve");
			Files.write(file, new byte[] { (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n' });
			assertThat(SnakeCaseToolsTests.this.tools.read("ann", "latin").data()).containsEntry("error",
					"unsupported_file_type");
		}

	}

	@Nested
	class Listing {

		@Test
		void namesTypesAndSizes() {
			SnakeCaseToolsTests.this.tools.write("ann", "src/a.txt", "12345");
			SnakeCaseToolsTests.this.tools.write("ann", ".env", "x");
			assertThat(SnakeCaseToolsTests.this.tools.list("bob").data())
				.isEqualTo(Map.of("files", List.of(Map.of("name", ".env", "type", "file", "size", 1L),
						Map.of("name", "src", "type", "directory", "size", 0L))));
			assertThat(SnakeCaseToolsTests.this.tools.call("bob", "list_files", Map.of("path", "src")).data())
				.isEqualTo(Map.of("files", List.of(Map.of("name", "a.txt", "type", "file", "size", 5L))));
			assertThat(SnakeCaseToolsTests.this.tools.call("bob", "list_files", Map.of("depth", 2)).data().toString())
				.contains("name=src/a.txt");
		}

		@Test
		void refusesWhatIsNoDirectory() {
			SnakeCaseToolsTests.this.tools.write("ann", "a", "x");
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "list_files", Map.of("path", "a")).data())
				.containsEntry("error", "not_a_directory");
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", "list_files", Map.of("path", "b")).data())
				.containsEntry("error", "file_not_found");
		}

	}

	@Nested
	class WithoutWorkspace {

		@ParameterizedTest
		@ValueSource(strings = { "nobody", "root", "user" })
		void everyToolSaysSo(String agent) {
			for (ToolResult result : List.of(SnakeCaseToolsTests.this.tools.write(agent, "a", "x"),
					SnakeCaseToolsTests.this.tools.read(agent, "a"), SnakeCaseToolsTests.this.tools.list(agent),
					SnakeCaseToolsTests.this.tools.info(agent),
					SnakeCaseToolsTests.this.tools.call(agent, "run_command", Map.of("command", "true")))) {
				assertThat(result.data()).containsEntry("error", "workspace_not_assigned");
			}
		}

		@Test
		void anIdThatIsAPathIsRefused() {
			assertThat(SnakeCaseToolsTests.this.tools.list("../ann").data()).containsEntry("error", "invalid_path");
		}

	}

	@Nested
	class Commands {

		@Test
		void countAsTheFirstWrite() {
			ToolResult result = SnakeCaseToolsTests.this.tools.call("bob", "run_command",
					Map.of("command", "echo x > made"));
			assertThat(result.error()).as(result.text()).isNull();
			assertThat(SnakeCaseToolsTests.this.tools.workspace("ann").resolve("made")).hasContent("x");
		}

		@Test
		void areRefusedWhereNothingMayBeWritten() {
			Path data = SnakeCaseToolsTests.this.temp.resolve("other");
			try (TaskTools readOnly = new TaskTools(data, TaskWorkspaceProvider::readOnly)) {
				readOnly.tree().register("ann", "root");
				ToolResult result = readOnly.call("ann", "run_command", Map.of("command", "true"));
				assertThat(result.data()).containsEntry("error", "read_only");
				assertThat(readOnly.write("ann", "a", "x").data()).containsEntry("error", "read_only");
				assertThat(readOnly.list("ann").data()).isEqualTo(Map.of("files", List.of()));
			}
			assertThat(data).doesNotExist();
		}

		@Test
		void doNotRunWhereALinkIsInThePlaceOfTheRoot() throws IOException {
			Path outside = Files.createDirectory(SnakeCaseToolsTests.this.temp.resolve("outside"));
			Path root = SnakeCaseToolsTests.this.tools.workspace("ann");
			Files.createDirectories(root.getParent());
			Files.createSymbolicLink(root, outside);
			ToolResult result = SnakeCaseToolsTests.this.tools.call("ann", "run_command",
					Map.of("command", "echo x > made"));
			assertThat(result.data()).containsEntry("error", "path_traversal_blocked");
			assertThat(outside).isEmptyDirectory();
		}

	}

	@Nested
	class Failures {

		private final List<LogRecord> logged = new java.util.concurrent.CopyOnWriteArrayList<>();

		private final Handler handler = new Handler() {

			@Override
			public void publish(LogRecord entry) {
				Failures.this.logged.add(entry);
			}

			@Override
			public void flush() {
			}

			@Override
			public void close() {
			}

		};

		private final Logger logger = Logger.getLogger(ToolCatalog.class.getName());

		@BeforeEach
		void listen() {
			this.logger.addHandler(this.handler);
		}

		@AfterEach
		void stopListening() {
			this.logger.removeHandler(this.handler);
		}

		@ParameterizedTest
		@EnumSource(value = WorkspaceErrorCode.class, names = { "PERMISSION_DENIED", "READ_FAILED", "WRITE_FAILED" })
		void ofTheStoreComeWithTheirCode(WorkspaceErrorCode code) {
			ToolContext context = context(code);
			ToolCatalog catalog = ToolCatalog.of(all(ToolNaming.SNAKE_CASE), List.of());
			ToolResult read = catalog.call(new ToolCall("1", "read_file", Map.of("path", "a")), context);
			assertThat(read.data()).isEqualTo(Map.of("error", code.code(), "message", "'a' failed: try again"));
			ToolResult written = catalog.call(new ToolCall("2", "write_file", Map.of("path", "a", "content", "x")),
					context);
			assertThat(written.data()).isEqualTo(Map.of("error", code.code(), "message", "'a' failed: try again"));
			assertThat(this.logged).extracting(LogRecord::getMessage)
				.hasSize((code == WorkspaceErrorCode.PERMISSION_DENIED) ? 2 : 0)
				.allSatisfy((message) -> assertThat(message).contains("denied access"));
		}

		private ToolContext context(WorkspaceErrorCode code) {
			Workspace workspace = FileToolsFixture.workspace(SnakeCaseToolsTests.this.temp);
			WorkspaceFiles files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace);
			return ToolContext.builder(workspace).files(new ForwardingWorkspaceFiles(files) {

				@Override
				public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
					return WorkspaceResult.failure(code, "'a' failed: try again");
				}

				@Override
				public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
					return WorkspaceResult.failure(code, "'a' failed: try again");
				}

			}).build();
		}

	}

}
