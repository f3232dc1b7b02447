package io.kairo.tools;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.file.TaskTools;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolNaming}.
 */
class ToolNamingTests {

	private static final Pattern OTHER_NAMES = Pattern.compile(
			"\\b(Read|Write|Edit|MultiEdit|ApplyPatch|List|Info|Glob|Grep|Move|Copy|Delete|Undelete|Bash|BashOutput|BashInput|KillBash|BashList|Diff|Commit|Push|WriteBack|file_path|bash_id)\\b|\"-[ABCni]\"");

	@AutoClose
	private TaskTools tools;

	@BeforeEach
	void createTools(@TempDir Path temp) {
		this.tools = new TaskTools(temp.resolve("data"));
		this.tools.tree().register("ann", "root");
	}

	private static List<String> parameters(AgentTool tool) {
		Map<?, ?> properties = (Map<?, ?>) tool.definition().inputSchema().get("properties");
		return properties.keySet().stream().map(String::valueOf).toList();
	}

	@Nested
	class Definitions {

		@Test
		void definitionsUseToolNamesOfNaming() {
			assertThat(AllTools.of(ToolNaming.SNAKE_CASE)).extracting((tool) -> tool.definition().name())
				.containsExactly("read_file", "write_file", "edit_file", "multi_edit", "apply_patch", "list_files",
						"get_workspace_info", "find_files", "search_files", "move_file", "copy_file", "delete_file",
						"undelete_file", "run_command", "command_output", "command_input", "kill_command",
						"list_commands", "checkpoint", "show_changes", "rewind", "trial", "diff", "commit", "push",
						"write_back");
			assertThat(AllTools.of(ToolNaming.CLAUDE)).extracting((tool) -> tool.definition().name())
				.containsExactly("Read", "Write", "Edit", "MultiEdit", "ApplyPatch", "List", "Info", "Glob", "Grep",
						"Move", "Copy", "Delete", "Undelete", "Bash", "BashOutput", "BashInput", "KillBash", "BashList",
						"Checkpoint", "Changes", "Rewind", "Trial", "Diff", "Commit", "Push", "WriteBack");
		}

		@Test
		void definitionsMentionOnlyNamesOfNaming() {
			for (AgentTool tool : AllTools.of(ToolNaming.SNAKE_CASE)) {
				// "*** Delete File:" is a part of the format of patches
				assertThat(tool.definition().description().replaceAll("\\*\\*\\* \\w+", "")
						+ tool.definition().inputSchema())
					.as(tool.definition().name())
					.doesNotContainPattern(OTHER_NAMES);
			}
			for (AgentTool tool : AllTools.of(ToolNaming.CLAUDE)) {
				assertThat(tool.definition().description() + tool.definition().inputSchema())
					.as(tool.definition().name())
					.doesNotContainPattern(
							"(read|write|edit|list|find|search|move|copy|delete|undelete)_file|run_command|(kill|list)_command|command_(output|input|id)|multi_edit|apply_patch|\\bwith (diff|commit)\\b");
			}
		}

		@ParameterizedTest
		@EnumSource(ToolNaming.class)
		void prefixIsPartOfEveryNameOfATool(ToolNaming naming) {
			List<AgentTool> tools = AllTools.of(naming);
			String names = tools.stream().map((tool) -> tool.definition().name()).collect(Collectors.joining("|"));
			for (AgentTool tool : tools) {
				ToolDefinition plain = tool.definition();
				ToolDefinition prefixed = ((RecordTool<?>) tool).definition("kairo_");
				assertThat(prefixed.name()).isEqualTo("kairo_" + plain.name());
				assertThat(prefixed.description().replace("kairo_", "")).isEqualTo(plain.description());
				assertThat(prefixed.description()).doesNotContainPattern("\\{[A-Z]")
					.doesNotContainPattern("\\b(as|with|before) (" + names + ")\\b");
				assertThat(prefixed).isEqualTo(plain.withName(prefixed.name()).withDescription(prefixed.description()));
				assertThat(prefixed.outputSchema()).isEqualTo(plain.outputSchema());
				assertThat(prefixed.answer()).isEqualTo(plain.answer());
			}
			assertThat(((RecordTool<?>) tools.get(2)).definition("kairo_").description())
				.contains("as kairo_" + naming.tool("Read") + " shows it");
			assertThat(((RecordTool<?>) tools.get(tools.size() - 3)).definition("kairo_").description())
				.contains("with kairo_" + naming.tool("Diff"), "before kairo_" + naming.tool("Push"));
		}

		@Test
		void descriptionSaysWhatAChangeOfDirectoryAppliesTo() {
			assertThat(new BashTool().definition().description()).contains("lasts for the next calls.");
			assertThat(new BashTool(BashOptions.defaults(), ToolNaming.SNAKE_CASE, Map.of(), WorkspaceKind.TASK)
				.definition()
				.description())
				.contains("lasts for the next commands", "paths of the other tools start at the workspace")
				.doesNotContain("next calls");
		}

		@Test
		void definitionsUseParameterNamesOfNaming() {
			List<AgentTool> tools = AllTools.of(ToolNaming.SNAKE_CASE);
			assertThat(parameters(tools.get(0))).containsExactly("path", "offset", "limit", "column");
			assertThat(parameters(tools.get(1))).containsExactly("path", "content", "expected_version");
			assertThat(tools.get(1).definition().inputSchema()).containsEntry("required", List.of("path", "content"));
			assertThat(parameters(tools.get(5))).contains("path").doesNotContain("hidden");
			assertThat(tools.get(5).definition().inputSchema()).doesNotContainKey("required");
			assertThat(parameters(tools.get(6))).isEmpty();
			assertThat(parameters(tools.get(8))).contains("after_context", "ignore_case").doesNotContain("-A");
		}

		@Test
		void toolsCreatedWithoutArgumentsHaveDefaultBounds() throws ReflectiveOperationException {
			List<AgentTool> tools = Stream.of(ToolNaming.values())
				.flatMap((naming) -> AllTools.of(naming).stream())
				.toList();
			for (AgentTool tool : tools) {
				AgentTool plain = tool.getClass().getConstructor().newInstance();
				assertThat(tools).extracting(AgentTool::definition).contains(plain.definition());
			}
		}

		@ParameterizedTest
		@EnumSource(ToolNaming.class)
		void annotationsAreSameInEveryNaming(ToolNaming naming) {
			assertThat(AllTools.of(naming)).extracting((tool) -> tool.definition().annotations())
				.isEqualTo(AllTools.of(ToolNaming.CLAUDE)
					.stream()
					.map((tool) -> tool.definition().annotations())
					.toList());
		}

	}

	@Nested
	class Arguments {

		@Test
		void errorUsesParameterNamesOfNaming() {
			assertThat(ToolNamingTests.this.tools.call("ann", "read_file", Map.of()).text())
				.contains("The parameter 'path' is missing");
			assertThat(ToolNamingTests.this.tools.call("ann", "write_file", Map.of("name", "x")).text())
				.contains("Known parameters: path, content, expected_version.");
			assertThat(ToolNamingTests.this.tools.call("ann", "read_file", Map.of("path", List.of(1))).text())
				.contains("The parameter 'path' cannot be");
			assertThat(
					ToolNamingTests.this.tools.call("ann", "read_file", Map.of("path", "a", "file_path", "b")).text())
				.contains("'path' is given twice");
		}

		@Test
		void errorOnInvalidValueUsesParameterNamesOfNaming() {
			ToolCatalog catalog = ToolCatalog.of(AllTools.of(ToolNaming.SNAKE_CASE), List.of());
			ToolContext context = ToolContext.builder(Workspace.cwd()).build();
			for (String parameter : List.of("after_context", "before_context", "context")) {
				ToolCall call = new ToolCall("1", "search_files", Map.of("pattern", "x", parameter, -5));
				assertThat(catalog.call(call, context).text()).contains(": " + parameter + " is -5")
					.doesNotContain("-A", "-B", "-C");
			}
		}

		@Test
		void parameterMissingFromNamingIsRejected() {
			assertThat(ToolNamingTests.this.tools.call("ann", "get_workspace_info", Map.of("path", "a")).data())
				.containsEntry("error", "invalid_arguments");
			assertThat(ToolNamingTests.this.tools.call("ann", "list_files", Map.of("hidden", true)).data())
				.containsEntry("error", "invalid_arguments");
		}

		@Test
		void parameterNamesOfOtherNamingAreAliases() {
			ToolNamingTests.this.tools.write("ann", "a", "x");
			assertThat(ToolNamingTests.this.tools.call("ann", "read_file", Map.of("file_path", "a")).data())
				.containsEntry("content", "x");
		}

	}

}
