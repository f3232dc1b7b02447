package io.kairo.tools.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteTool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of the tools that move and copy entries, for every store.
 */
@Timeout(60)
abstract class EntryToolsContract {

	private final ToolCatalog catalog = ToolCatalog
		.of(List.of(new ReadTool(), new WriteTool(), new EditTool(), new MoveTool(), new CopyTool()), List.of());

	ToolContext context;

	/**
	 * Opens an empty workspace.
	 */
	abstract ToolContext open();

	@BeforeEach
	void fill() {
		this.context = open();
		write("src/Main.java", "class Main {\n}\n");
		write("src/deep/Other.java", "class Other {\n}\n");
		write("readme.md", "about\n");
	}

	ToolResult call(String tool, Map<String, Object> arguments) {
		return this.catalog.call(new ToolCall("1", tool, arguments), this.context);
	}

	void write(String path, String content) {
		assertThat(call("Write", Map.of("file_path", path, "content", content)).error()).isNull();
	}

	String text(String path) {
		return this.context.files().tryReadFile(path).value().content();
	}

	List<String> paths() {
		return this.context.files().getFilePaths().value();
	}

	private static void assertFailed(ToolResult result, String code, String... texts) {
		assertThat(result.data()).as(result.text()).containsEntry("error", code);
		for (String text : texts) {
			assertThat(result.text()).contains(text);
		}
	}

	@Nested
	class Moving {

		@Test
		void fileIsMovedWithItsNewParents() {
			ToolResult result = call("Move", Map.of("source", "./readme.md", "destination", "docs/new/readme.txt"));
			assertThat(result.text()).isEqualTo("Moved 'readme.md' to 'docs/new/readme.txt' (6 bytes).");
			assertThat(result.data()).containsEntry("source", "readme.md")
				.containsEntry("destination", "docs/new/readme.txt")
				.containsEntry("outcome", "moved")
				.containsEntry("type", "file")
				.containsEntry("files", 1L)
				.containsEntry("bytes", 6L)
				.containsKey("version")
				.doesNotContainKey("replaced");
			assertThat(text("docs/new/readme.txt")).isEqualTo("about\n");
			assertThat(paths()).doesNotContain("readme.md");
		}

		@Test
		void directoryIsMovedAndCounted() {
			ToolResult result = call("Move", Map.of("from", "src", "to", "lib/java"));
			assertThat(result.text()).isEqualTo("Moved 'src' to 'lib/java' (2 files, 31 bytes).");
			assertThat(result.data()).containsEntry("type", "directory").containsEntry("files", 2L);
			assertThat(paths()).containsExactly("lib/java/deep/Other.java", "lib/java/Main.java", "readme.md");
		}

		@Test
		void sessionKnowsMovedFilesUnderNewPathsOnly() {
			call("Move", Map.of("source", "src", "destination", "lib"));
			write("lib/Main.java", "class Main {\n\tint i;\n}\n");
			ToolResult edited = call("Edit",
					Map.of("file_path", "lib/deep/Other.java", "old_string", "Other", "new_string", "Another"));
			assertThat(edited.error()).as(edited.text()).isNull();
			assertThat(EntryToolsContract.this.context.session()
				.ledger()
				.version(EntryToolsContract.this.context.resolve("src/Main.java"))).isNull();
		}

		@Test
		void changeSinceReadIsStillFoundAfterMove() {
			EntryToolsContract.this.context.files().tryWriteFile("readme.md", "changed\n").value();
			call("Move", Map.of("source", "readme.md", "destination", "new.md"));
			assertFailed(call("Write", Map.of("file_path", "new.md", "content", "mine")), "stale_read", "+changed");
		}

		@Test
		void workingDirectoryFollowsMovedDirectory() {
			EntryToolsContract.this.context.session()
				.currentDirectory(EntryToolsContract.this.context.resolve("src/deep"));
			ToolResult result = call("Move", Map.of("source", root("src"), "destination", root("lib")));
			assertThat(result.error()).as(result.text()).isNull();
			assertThat(EntryToolsContract.this.context.session().currentDirectory().relative()).isEqualTo("lib/deep");
		}

		private String root(String path) {
			return EntryToolsContract.this.context.files()
				.display(EntryToolsContract.this.context.files()
					.resolve(path, EntryToolsContract.this.context.files().root()));
		}

		@Test
		void concurrentMovesInBothDirectionsEnd() {
			List<CompletableFuture<ToolResult>> calls = new ArrayList<>();
			for (int i = 0; i < 40; i++) {
				Map<String, Object> arguments = (i % 2 == 0) ? Map.of("source", "readme.md", "destination", "x.md")
						: Map.of("source", "x.md", "destination", "readme.md");
				calls.add(CompletableFuture.supplyAsync(() -> call("Move", arguments)));
			}
			calls.forEach((each) -> assertThat(each.join().text()).containsAnyOf("Moved", "file_not_found"));
			assertThat(paths()).hasSize(3);
		}

	}

	@Nested
	class Copying {

		@Test
		void copyOfFileIsKnownToSession() {
			ToolResult result = call("Copy", Map.of("source", "readme.md", "destination", "a/copy.md"));
			assertThat(result.text()).isEqualTo("Copied 'readme.md' to 'a/copy.md' (6 bytes).");
			assertThat(result.data()).containsEntry("outcome", "copied").containsEntry("files", 1L);
			write("a/copy.md", "new\n");
			assertThat(text("readme.md")).isEqualTo("about\n");
		}

		@Test
		void directoryIsCopiedOnlyWhenRecursive() {
			assertFailed(call("Copy", Map.of("source", "src", "destination", "lib")), "is_a_directory",
					"'src' is a directory (2 files, 31 bytes).", "recursive");
			assertThat(paths()).hasSize(3);
			ToolResult result = call("Copy", Map.of("source", "src", "destination", "lib", "recursive", true));
			assertThat(result.text()).isEqualTo("Copied 'src' to 'lib' (2 files, 31 bytes).");
			assertThat(paths()).contains("src/Main.java", "lib/Main.java", "lib/deep/Other.java");
		}

	}

	@Nested
	class Refusing {

		@ParameterizedTest
		@ValueSource(strings = { "Move", "Copy" })
		void destinationIsReplacedOnlyWhenAsked(String tool) {
			write("b.md", "other\n");
			assertFailed(call(tool, Map.of("source", "readme.md", "destination", "b.md")), "file_exists", "b.md",
					"overwrite");
			assertThat(text("b.md")).isEqualTo("other\n");
			ToolResult result = call(tool, Map.of("source", "readme.md", "destination", "b.md", "overwrite", true));
			assertThat(result.text()).contains("in place of the file that was there");
			assertThat(result.data()).containsEntry("replaced", true);
			assertThat(text("b.md")).isEqualTo("about\n");
		}

		@ParameterizedTest
		@ValueSource(strings = { "Move", "Copy" })
		void directoryAtDestinationIsNeverReplaced(String tool) {
			for (boolean overwrite : new boolean[] { false, true }) {
				ToolResult result = call(tool,
						Map.of("source", "readme.md", "destination", "src", "overwrite", overwrite));
				assertThat(result.error()).isNotNull();
				assertThat(result.text()).contains("give 'src/readme.md' as the destination");
			}
			assertFailed(call(tool, Map.of("source", "readme.md", "destination", "new/")), "invalid_arguments",
					"'new/readme.md'");
			assertThat(paths()).hasSize(3);
		}

		@ParameterizedTest
		@CsvSource({ "Move, src, src/deep/src, invalid_arguments", "Copy, src, src/deep/src, invalid_arguments",
				"Move, src, src/new, invalid_arguments", "Move, readme.md, ./readme.md, no_change",
				"Copy, ./readme.md, readme.md, no_change", "Move, ., x, is_a_directory", "Copy, ., x, is_a_directory",
				"Move, missing.md, x, file_not_found", "Copy, readm.md, x, file_not_found",
				"Move, readme.md, ../x, path_traversal_blocked", "Copy, ../x, y, path_traversal_blocked" })
		void impossibleCallsChangeNothing(String tool, String source, String destination, String code) {
			ToolResult result = call(tool, Map.of("source", source, "destination", destination, "overwrite", true));
			if (!result.data().containsValue("invalid_path")) {
				assertFailed(result, code);
			}
			assertThat(paths()).containsExactly("readme.md", "src/deep/Other.java", "src/Main.java");
		}

		@Test
		void missingSourceIsAnsweredWithSimilarNames() {
			assertFailed(call("Move", Map.of("source", "readm.md", "destination", "x")), "file_not_found",
					"Did you mean 'readme.md'?");
		}

	}

}
