package io.kairo.tools.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.tools.AgentTool;
import io.kairo.tools.Completeness;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.task.TaskWorkspaceProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the tools under {@link ToolNaming#SNAKE_CASE}.
 */
class SnakeCaseToolsTests {

	@TempDir
	Path temp;

	@AutoClose
	private TaskTools tools;

	@BeforeEach
	void createTools() {
		this.tools = new TaskTools(this.temp.resolve("data"));
		this.tools.tree().register("ann", "root");
		this.tools.tree().register("bob", "ann");
	}

	@Nested
	class Writing {

		@Test
		void writeReplacesUnreadFile() throws IOException {
			Path file = SnakeCaseToolsTests.this.tools.workspace("ann").resolve("a");
			Files.createDirectories(file.getParent());
			Files.writeString(file, "by another\r\n");
			assertThat(SnakeCaseToolsTests.this.tools.write("bob", "a", "new\n").data()).isEqualTo(Map.of("ok", true));
			assertThat(file).hasContent("new\n");
			assertThat(Files.readString(file)).isEqualTo("new\n");
		}

		@Test
		void writeChecksExpectedVersion() {
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
		void editSucceedsAfterWriteInSameSession() {
			SnakeCaseToolsTests.this.tools.call("ann", "s", "write_file", Map.of("path", "a", "content", "one"));
			assertThat(SnakeCaseToolsTests.this.tools
				.call("ann", "s", "edit_file", Map.of("path", "a", "old_string", "one", "new_string", "two"))
				.error()).isNull();
			assertThat(SnakeCaseToolsTests.this.tools.read("ann", "a").data()).containsEntry("content", "two");
		}

		@Test
		void writeRejectsUnpairedSurrogate() {
			assertThat(SnakeCaseToolsTests.this.tools.write("ann", "a", "half \uD800 a character").data())
				.containsEntry("error", "unmappable_characters");
		}

		@Test
		void readAndWriteRejectDirectory() {
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
		void readNumbersLinesInTextButNotInData() {
			SnakeCaseToolsTests.this.tools.write("ann", "a", "one\ntwo");
			ToolResult result = SnakeCaseToolsTests.this.tools.read("ann", "a");
			assertThat(result.text()).contains("1\tone").contains("2\ttwo");
			assertThat(result.data()).isEqualTo(Map.of("content", "one\ntwo"));
		}

		@Test
		void readReturnsRequestedLines() {
			SnakeCaseToolsTests.this.tools.write("ann", "a", "one\r\ntwo\r\nthree\r\n");
			ToolResult result = SnakeCaseToolsTests.this.tools.call("ann", "read_file",
					Map.of("path", "a", "offset", 2, "limit", 1));
			assertThat(result.data()).isEqualTo(Map.of("content", "two\n"));
			assertThat(result.complete().next()).containsEntry("path", "a").containsEntry("offset", 3L);
		}

		@Test
		void readRejectsTooLargeFileUnlessRangeIsGiven() throws IOException {
			SnakeCaseToolsTests.this.tools.write("ann", "small", "x");
			Files.writeString(SnakeCaseToolsTests.this.tools.workspace("ann").resolve("large"),
					"0123456789\n".repeat(6_200_000));
			ToolResult result = SnakeCaseToolsTests.this.tools.read("ann", "large");
			assertThat(result.data()).containsEntry("error", "too_large");
			assertThat(result.text()).contains("offset and limit");
			assertThat(
					SnakeCaseToolsTests.this.tools.call("ann", "read_file", Map.of("path", "large", "limit", 2)).data())
				.isEqualTo(Map.of("content", "0123456789\n0123456789\n"));
		}

		@Test
		void readReturnsWholeFileInDataWhenTextIsCut() {
			String content = "0123456789\n".repeat(40_000);
			SnakeCaseToolsTests.this.tools.write("ann", "large", content);
			ToolResult result = SnakeCaseToolsTests.this.tools.read("ann", "large");
			assertThat(result.data()).isEqualTo(Map.of("content", content));
			assertThat(result.complete()).isEqualTo(Completeness.COMPLETE);
			assertThat(result.text()).hasSizeLessThan(50_000).contains("lines 1-2,000 of 40,000", "offset=2001");
		}

		@Test
		void readRejectsFileAboveWholeFileLimit() {
			AgentTool bounded = new ReadFileTool(new ReadOptions(2000, 2000, 100, 300));
			SnakeCaseToolsTests.this.tools.write("ann", "fits", "x".repeat(300));
			SnakeCaseToolsTests.this.tools.write("ann", "large", "x".repeat(301));
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", bounded, Map.of("path", "fits")).data())
				.isEqualTo(Map.of("content", "x".repeat(300)));
			assertThat(SnakeCaseToolsTests.this.tools.call("ann", bounded, Map.of("path", "large")).data())
				.containsEntry("error", "too_large");
		}

		@Test
		void readDecodesOtherCharsetsAndRejectsImages() throws IOException {
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
		void listReturnsNamesTypesAndSizes() {
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
		void listRejectsFileAndMissingPath() {
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
		void everyToolReturnsErrorForAgentWithoutWorkspace(String agent) {
			for (ToolResult result : List.of(SnakeCaseToolsTests.this.tools.write(agent, "a", "x"),
					SnakeCaseToolsTests.this.tools.read(agent, "a"), SnakeCaseToolsTests.this.tools.list(agent),
					SnakeCaseToolsTests.this.tools.info(agent),
					SnakeCaseToolsTests.this.tools.call(agent, "run_command", Map.of("command", "true")))) {
				assertThat(result.data()).containsEntry("error", "workspace_not_assigned");
			}
		}

		@Test
		void agentIdWithPathIsRejected() {
			assertThat(SnakeCaseToolsTests.this.tools.list("../ann").data()).containsEntry("error", "invalid_path");
		}

	}

	@Nested
	class Commands {

		@Test
		void pathsAreRelativeToWorkspaceWhereverCommandsHaveGone() throws IOException {
			TaskTools tools = SnakeCaseToolsTests.this.tools;
			tools.write("ann", "src/deep/a.txt", "deep");
			assertThat(tools.call("ann", "s", "run_command", Map.of("command", "cd src/deep && pwd")).error()).isNull();
			assertThat(tools.call("ann", "s", "run_command", Map.of("command", "ls")).text()).contains("a.txt");
			assertThat(tools.call("ann", "s", "write_file", Map.of("path", "b.txt", "content", "x")).data())
				.isEqualTo(Map.of("ok", true));
			assertThat(tools.workspace("ann").resolve("b.txt")).hasContent("x");
			assertThat(tools.call("ann", "s", "read_file", Map.of("path", "src/deep/a.txt")).data())
				.containsEntry("content", "deep");
			assertThat(tools.call("ann", "s", "read_file", Map.of("path", "a.txt")).data()).containsEntry("error",
					"file_not_found");
			assertThat(tools.call("ann", "s", "list_files", Map.of()).data().toString()).contains("name=src")
				.contains("name=b.txt");
			assertThat(tools.call("ann", "s", "list_files", Map.of("path", "")).data())
				.isEqualTo(tools.call("ann", "s", "list_files", Map.of("path", ".")).data());
			assertThat(tools
				.call("ann", "s", "edit_file",
						Map.of("path", "src/deep/a.txt", "old_string", "deep", "new_string", "deeper"))
				.text()).contains("'src/deep/a.txt'");
		}

		@Test
		void commandCreatesWorkspaceOnFirstUse() {
			ToolResult result = SnakeCaseToolsTests.this.tools.call("bob", "run_command",
					Map.of("command", "echo x > made"));
			assertThat(result.error()).as(result.text()).isNull();
			assertThat(SnakeCaseToolsTests.this.tools.workspace("ann").resolve("made")).hasContent("x");
		}

		@Test
		void commandIsRejectedInReadOnlyWorkspace() {
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
		void commandIsRejectedWhenWorkspaceRootIsLink() throws IOException {
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

}
