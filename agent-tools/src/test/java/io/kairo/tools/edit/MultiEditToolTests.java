package io.kairo.tools.edit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.FileToolsFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MultiEditTool}, over files on disk.
 */
class MultiEditToolTests {

	private static final ToolCatalog CATALOG = ToolCatalog
		.of(List.of(new MultiEditTool(), new MultiEditTool(EditOptions.defaults(), ToolNaming.SNAKE_CASE)), List.of());

	private FileToolsFixture tools;

	@BeforeEach
	void openWorkspace(@TempDir Path directory) {
		this.tools = new FileToolsFixture(directory);
	}

	private static Map<String, Object> edit(String old, String replacement) {
		return Map.of("old_string", old, "new_string", replacement);
	}

	private static Map<String, Object> edit(String path, String old, String replacement) {
		Map<String, Object> edit = new HashMap<>(edit(old, replacement));
		edit.put("file_path", path);
		return edit;
	}

	private ToolResult edits(Map<String, Object> more, List<Map<String, Object>> edits) {
		Map<String, Object> arguments = new HashMap<>(more);
		arguments.put("edits", edits);
		return call(arguments);
	}

	private ToolResult call(Map<String, Object> arguments) {
		return CATALOG.call(new ToolCall("", "MultiEdit", arguments), this.tools.context());
	}

	@SafeVarargs
	private ToolResult edits(String path, Map<String, Object>... edits) {
		List<Map<String, Object>> all = new ArrayList<>();
		for (Map<String, Object> edit : edits) {
			all.add(edit);
		}
		return edits(Map.of("file_path", path), all);
	}

	private static void assertRefused(ToolResult result, String code, String... parts) {
		assertThat(result.error()).as(result.text()).isNotNull();
		assertThat(result.error().code()).as(result.text()).isEqualTo(code);
		assertThat(result.error().nextStep() != null || result.error().message().contains(": ")).as(result.text())
			.isTrue();
		assertThat(List.of(parts)).allSatisfy((part) -> assertThat(result.text()).contains(part));
	}

	@Test
	void editsOfOneFileApplyInOrderAndShowTheirLines() throws Exception {
		this.tools.put("a.txt", FileToolsFixture.lines(40));
		ToolResult result = edits("a.txt", edit("line 30\n", "thirty\n"), edit("line 5\n", "five\nfive and a half\n"),
				edit("line 6\n", ""));
		assertThat(result.error()).as(result.text()).isNull();
		assertThat(this.tools.get("a.txt")).isEqualTo(FileToolsFixture.lines(40)
			.replace("line 30\n", "thirty\n")
			.replace("line 5\nline 6\n", "five\nfive and a half\n"));
		assertThat(result.text()).startsWith("Changed 1 file, 3 edits.\nEdited 'a.txt':\n")
			.contains("     5\tfive\n", "     6\tfive and a half\n     7\tline 7", "    30\tthirty\n");
		assertThat((List<?>) result.data().get("edits")).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "edits", "changes" })
	void editsAreAcceptedAsJsonText(String parameter) throws Exception {
		String one = "{\"old_string\": \"one\", \"new_string\": \"1\"}";
		for (Object edits : List.of("[" + one + "]", one, List.of(one), edit("one", "1"))) {
			this.tools.put("a.txt", "one\n");
			ToolResult result = call(Map.of("file_path", "a.txt", parameter, edits));
			assertThat(result.error()).as(result.text()).isNull();
			assertThat(this.tools.get("a.txt")).isEqualTo("1\n");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "[{\"old_string\": \"one\"", "one", "[] []", "3" })
	void textThatContainsNoEditsIsNamedInError(String edits) {
		assertRefused(call(Map.of("file_path", "a.txt", "edits", edits)), "invalid_arguments",
				"The parameter 'edits' cannot be", "\"type\":\"array\"");
	}

	@Test
	void editsOfSeveralFilesAreAllOrNothing() throws Exception {
		this.tools.put("a.txt", "one\n");
		this.tools.put("b.txt", "two\r\n".getBytes(StandardCharsets.UTF_16));
		byte[] before = this.tools.bytes("b.txt");
		List<Map<String, Object>> edits = new ArrayList<>(
				List.of(edit("a.txt", "one", "1"), edit("b.txt", "two\n", "2\n"), edit("c/d.txt", "", "new\n")));
		edits.add(edit("a.txt", "missing", "x"));
		assertRefused(edits(Map.of(), edits), "no_match", "edits[3] ('a.txt'): old_string is not in 'a.txt'");
		assertThat(this.tools.get("a.txt")).isEqualTo("one\n");
		assertThat(this.tools.bytes("b.txt")).isEqualTo(before);
		assertThat(this.tools.directory().resolve("c")).doesNotExist();
		edits.remove(3);
		ToolResult result = edits(Map.of(), edits);
		assertThat(result.error()).as(result.text()).isNull();
		assertThat(this.tools.get("a.txt")).isEqualTo("1\n");
		assertThat(this.tools.bytes("b.txt")).isEqualTo("2\r\n".getBytes(StandardCharsets.UTF_16));
		assertThat(this.tools.get("c/d.txt")).isEqualTo("new\n");
		assertThat(result.text()).contains("edits[1] ('b.txt'): old_string was found with other line ends");
	}

	@Test
	void laterEditSeesEarlierOneAsContextButMustNotChangeIt() throws Exception {
		this.tools.put("a.txt", "one two three\n");
		assertThat(edits("a.txt", edit("one", "1"), edit("1 two", "1 2")).error()).isNull();
		assertThat(this.tools.get("a.txt")).isEqualTo("1 2 three\n");
		assertRefused(edits("a.txt", edit("three", "four"), edit("four", "five")), "overlapping_edits", "edits[1]",
				"edits[0]", "line 1");
		assertRefused(edits("a.txt", edit("2", "x y"), edit("x y three", "z")), "overlapping_edits");
		assertThat(this.tools.get("a.txt")).isEqualTo("1 2 three\n");
	}

	@Test
	void newFileMayBeEditedFurther() throws Exception {
		assertThat(edits("a.txt", edit("", "one\ntwo\n"), edit("two\n", "2\n")).error()).isNull();
		assertThat(this.tools.get("a.txt")).isEqualTo("one\n2\n");
	}

	@Test
	void dryRunShowsDifferenceOfAllFiles() throws Exception {
		this.tools.put("a.txt", "one\n");
		ToolResult result = edits(Map.of("dry_run", true),
				List.of(edit("a.txt", "one", "1"), edit("b.txt", "", "new\n")));
		assertThat(result.text())
			.contains("--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+1\n--- /dev/null\n+++ b/b.txt\n")
			.endsWith("(nothing was written)");
		assertThat(this.tools.get("a.txt")).isEqualTo("one\n");
		assertThat(this.tools.directory().resolve("b.txt")).doesNotExist();
	}

	@Test
	void staleFileRefusesAllEdits() throws Exception {
		this.tools.put("a.txt", "one\n");
		this.tools.put("b.txt", "two\n");
		this.tools.read("b.txt");
		this.tools.put("b.txt", "two\nthree\n");
		assertRefused(edits(Map.of(), List.of(edit("a.txt", "one", "1"), edit("b.txt", "two", "2"))), "stale_read",
				"edits[1] ('b.txt'): 'b.txt' was changed since it was read", "+three");
		assertRefused(edits(Map.of("expected_version", "sha256:0"), List.of(edit("a.txt", "one", "1"))), "stale_read");
		assertThat(this.tools.get("a.txt")).isEqualTo("one\n");
	}

	@Test
	void argumentsOfEditsAreChecked() throws Exception {
		this.tools.put("a.txt", "one\n");
		assertRefused(edits("a.txt"), "invalid_arguments", "edits is empty");
		assertRefused(edits(Map.of(), List.of(edit("one", "1"))), "invalid_arguments", "edits[0] names no file");
		assertRefused(edits("a.txt", edit("one", "one")), "invalid_arguments", "are the same");
		assertRefused(edits("a.txt", Map.of("old_string", "one")), "invalid_arguments", "new_string");
		assertRefused(edits("a.txt", Map.of("old_string", "one", "new_string", "1", "colour", "red")),
				"invalid_arguments", "no parameter 'colour' in 'edits'", "old_string");
		assertRefused(edits("a.txt", edit("../b.txt", "one", "1")), "path_traversal_blocked");
		ToolResult snake = CATALOG.call(
				new ToolCall("", "multi_edit",
						Map.of("edits", List.of(Map.of("path", "a.txt", "old_string", "one", "new_string", "1")))),
				this.tools.context());
		assertThat(snake.error()).as(snake.text()).isNull();
	}

	@Test
	@Timeout(60)
	void tooManyOrTooLargeEditsAreRefused() throws Exception {
		this.tools.put("a.txt", "one\n");
		assertRefused(edits(Map.of("file_path", "a.txt"), Collections.nCopies(1001, edit("one", "1"))), "too_large",
				"1,001 edits");
		ToolCatalog small = ToolCatalog.of(List.of(new MultiEditTool(new EditOptions(100, 10, 10), ToolNaming.CLAUDE)),
				List.of());
		this.tools.put("b.txt", "b".repeat(60) + "\n");
		this.tools.put("c.txt", "c".repeat(60) + "\n");
		ToolResult result = small.call(
				new ToolCall("", "MultiEdit",
						Map.of("edits", List.of(edit("b.txt", "bb\n", "x\n"), edit("c.txt", "cc\n", "x\n")))),
				this.tools.context());
		assertRefused(result, "too_large", "122 bytes together", "100");
		assertThat(this.tools.get("b.txt")).isEqualTo("b".repeat(60) + "\n");
	}

	@Test
	void commentForElidedLinesIsRefusedInEitherText() throws Exception {
		this.tools.put("a.js", "f() {\n  one();\n  two();\n}\n");
		assertRefused(edits("a.js", edit("  one();\n  two();\n", "  // ... rest of the code ...\n  2();\n")),
				"elided_lines", "edits[0]", "stands for lines");
		assertRefused(edits("a.js", edit("f() {\n  // ... existing code ...\n}\n", "g() {\n  one();\n}\n")), "no_match",
				"Its line '// ... existing code ...' stands for lines");
		for (String line : List.of("...rest,", "# the rest of the world", "// existing code is kept", "- other")) {
			assertThat(ElidedLines.in(line)).as(line).isNull();
		}
		for (String line : List.of("// ... existing code ...", "# ... rest unchanged", "/* ... existing code ... */",
				"<!-- ... existing content ... -->", "// rest of the code unchanged", "... rest of file ...",
				"  {/* ... rest of the component ... */}", "-- ... (rest of the file) ...",
				"# ... existing imports ...", "// \u2026 unchanged \u2026")) {
			assertThat(ElidedLines.in("a\n" + line + "\nb")).as(line).isEqualTo(line.strip());
		}
	}

	@Test
	void blockWhoseMiddleHasGrownIsShownByItsEnds() throws Exception {
		StringBuilder text = new StringBuilder("void other() {\n}\n\nvoid run() {\n    start();\n");
		for (int i = 0; i < 30; i++) {
			text.append("    step").append(i).append("();\n");
		}
		this.tools.put("a.c", text + "    stop();\n    leave();\n}\n");
		ToolResult result = edits("a.c",
				edit("void run() {\n    start();\n    step();\n    stop();\n    leave();\n}\n", "x\n"));
		assertRefused(result, "no_match", "Lines 4 to 38 begin and end as it does, but they are 35 lines",
				"     4\tvoid run() {\n", "…\n", "    37\t    leave();\n    38\t}");
		assertThat(result.text()).doesNotContain("step9");
	}

	@Test
	void textWithReplacementCharacterShowsLines() throws Exception {
		this.tools.put("a.txt", "caf\u00E9 au lait\n".getBytes(StandardCharsets.ISO_8859_1));
		assertRefused(edits("a.txt", edit("caf\uFFFD au lait", "tea")), "no_match", "U+FFFD",
				"     1\tcaf\u00E9 au lait");
	}

}
